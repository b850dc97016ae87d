import type {
  EventException,
  EventMechanism,
  EventStacktrace,
  EventThread,
} from '@afterimage/protocol/event'
import { boundedBag } from './bag.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { normalizeStacktrace } from './stacktrace.ts'
import { isRecord, readAsText, readInteger, readText, readValues } from './text.ts'

/** The exceptions of an event, cause first. One that says nothing at all is left out. */
export function normalizeExceptions(raw: unknown, platform: string): EventException[] {
  const exceptions: EventException[] = []
  for (const item of readValues(raw).slice(-eventLimits.exceptions)) {
    const exception = isRecord(item) ? normalizeException(item, platform) : null
    if (exception !== null) exceptions.push(exception)
  }
  return exceptions
}

function normalizeException(raw: Record<string, unknown>, platform: string): EventException | null {
  const mechanism = normalizeMechanism(raw['mechanism'])
  let type = readText(raw['type'], eventLimits.label)
  let value = readAsText(raw['value'], eventLimits.exceptionValue)
  if (type === null && value !== null && mechanism?.synthetic !== true) {
    const split = /^([A-Za-z_$][\w.$]{0,127}): ?(.*)$/s.exec(value)
    if (split !== null) [type, value] = [split[1]!, split[2] === '' ? null : split[2]!]
  }
  const stacktrace = normalizeStacktrace(raw['stacktrace'], platform)
  if (type === null && value === null && stacktrace === null) return null
  const exception: EventException = {}
  if (type !== null) exception.type = type
  if (value !== null) exception.value = value
  const module = readText(raw['module'], eventLimits.label)
  if (module !== null) exception.module = module
  const threadId = readId(raw['thread_id'])
  if (threadId !== null) exception.thread_id = threadId
  if (mechanism !== null) exception.mechanism = mechanism
  if (stacktrace !== null) exception.stacktrace = stacktrace
  const rawStacktrace = normalizeStacktrace(raw['raw_stacktrace'], platform)
  if (rawStacktrace !== null) exception.raw_stacktrace = rawStacktrace
  return exception
}

function normalizeMechanism(raw: unknown): EventMechanism | null {
  if (!isRecord(raw)) return null
  const mechanism: EventMechanism = {
    type: readText(raw['type'], eventLimits.identifier) ?? 'generic',
  }
  for (const flag of ['handled', 'synthetic', 'is_exception_group'] as const) {
    if (typeof raw[flag] === 'boolean') mechanism[flag] = raw[flag]
  }
  for (const bag of ['data', 'meta'] as const) {
    const copied = boundedBag(raw[bag], bagLimits.medium)
    if (copied !== null) mechanism[bag] = copied
  }
  for (const id of ['exception_id', 'parent_id'] as const) {
    const number = readInteger(raw[id])
    if (number !== null) mechanism[id] = number
  }
  const description = readAsText(raw['description'], eventLimits.exceptionValue)
  if (description !== null) mechanism.description = description
  for (const text of ['help_link', 'source'] as const) {
    const value = readText(raw[text], eventLimits.label)
    if (value !== null) mechanism[text] = value
  }
  return mechanism
}

export function normalizeThreads(raw: unknown, platform: string): EventThread[] {
  const threads: EventThread[] = []
  for (const item of readValues(raw).slice(0, eventLimits.threads)) {
    if (isRecord(item)) threads.push(normalizeThread(item, platform))
  }
  return threads
}

function normalizeThread(raw: Record<string, unknown>, platform: string): EventThread {
  const thread: EventThread = {}
  const id = readId(raw['id'])
  if (id !== null) thread.id = id
  const name = readText(raw['name'], 1024)
  if (name !== null) thread.name = name
  const state = readText(raw['state'], eventLimits.identifier)
  if (state !== null) thread.state = state
  for (const flag of ['crashed', 'current', 'main'] as const) {
    if (typeof raw[flag] === 'boolean') thread[flag] = raw[flag]
  }
  const stacktrace = normalizeStacktrace(raw['stacktrace'], platform)
  if (stacktrace !== null) thread.stacktrace = stacktrace
  return thread
}

/** Gives a stack trace that was sent beside the exceptions to the only one that lacks it. */
export function adoptStacktrace(
  exceptions: readonly EventException[],
  stacktrace: EventStacktrace | null,
): boolean {
  const only = exceptions.length === 1 ? exceptions[0]! : null
  if (stacktrace === null || only === null || only.stacktrace) return false
  only.stacktrace = stacktrace
  return true
}

function readId(value: unknown): string | number | null {
  return typeof value === 'number' ? value : readText(value, eventLimits.identifier)
}
