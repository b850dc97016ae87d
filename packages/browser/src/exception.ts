import type { EventException, EventFrame } from '@afterimage/protocol/event'
import type { Hint, SdkEvent } from './event.ts'
import { linkedErrorsMax, messageCharactersMax } from './limits.ts'
import { cut, normalize } from './normalize.ts'
import { parseStack } from './stack.ts'

interface Link {
  readonly value: unknown
  readonly parentId?: number
  /** The member of its parent that held it: `cause`, `errors[0]`. */
  readonly source?: string
}

/**
 * The event of something thrown or handed over, of any type and from any realm. Its causes and the
 * errors of an AggregateError come with it: the deepest first, what was thrown last.
 */
export function exceptionEvent(thrown: unknown, hint: Hint = {}): SdkEvent {
  const mechanism = hint.mechanism ?? { type: 'generic', handled: true }
  const event: SdkEvent = {}
  const error = errorWithin(thrown)
  if (error === null) {
    event.exception = { values: [describeNonError(thrown, mechanism, hint.syntheticException)] }
    if (typeof thrown === 'object' && thrown !== null) {
      event.extra = { __serialized__: normalize(thrown) }
    }
    return event
  }
  const links: Link[] = [{ value: error }]
  const values: EventException[] = []
  // Breadth first: `links` grows while it is read.
  for (const [id, { value, parentId, source }] of links.entries()) {
    const children = linkedErrors(value).filter(
      (child) =>
        links.length <= linkedErrorsMax &&
        !links.some((it) => it.value === child.value) &&
        links.push({ ...child, parentId: id }),
    )
    const isChained = parentId !== undefined || children.length > 0
    values.unshift({
      ...describeError(value),
      mechanism: {
        ...(parentId === undefined ? mechanism : { type: 'chained', handled: mechanism.handled }),
        ...(isChained && { exception_id: id }),
        ...(parentId !== undefined && { parent_id: parentId }),
        ...(source !== undefined && { source }),
        ...(Array.isArray(read(value, 'errors')) && { is_exception_group: true }),
      },
    })
  }
  event.exception = { values }
  return event
}

/** Errors of other realms are no `instanceof Error` of ours. */
export function isError(value: unknown): value is Error {
  return (
    value instanceof Error ||
    /^\[object (\w*Error|DOMException|Exception)\]$/.test(Object.prototype.toString.call(value))
  )
}

/** An error, or the error that an ErrorEvent or the like holds. */
function errorWithin(value: unknown): Error | null {
  if (isError(value)) return value
  for (const name of ['error', 'reason']) {
    const inner = read(value, name)
    if (isError(inner)) return inner
  }
  return null
}

function linkedErrors(value: unknown): Link[] {
  const links: Link[] = []
  const add = (member: unknown, source: string): void => {
    if (isError(member)) links.push({ value: member, source })
  }
  add(read(value, 'cause'), 'cause')
  const errors = read(value, 'errors')
  if (Array.isArray(errors)) {
    for (const [index, member] of errors.slice(0, linkedErrorsMax).entries()) {
      add(member, `errors[${index}]`)
    }
  }
  return links
}

function describeError(value: unknown): EventException {
  const message = read(value, 'message')
  const text = typeof message === 'string' ? message : textOf(read(message, 'error') ?? message)
  return {
    type: textOf(read(value, 'name')) || 'Error',
    value: cut(text, messageCharactersMax) || 'No error message',
    ...stackOf(value, text),
  }
}

function describeNonError(
  value: unknown,
  mechanism: NonNullable<Hint['mechanism']>,
  synthetic?: Error,
): EventException {
  const isRejection = mechanism.type === 'onunhandledrejection'
  const captured = isRejection ? 'promise rejection' : 'exception'
  const isObject = typeof value === 'object' && value !== null
  const isEvent = isObject && typeof Event !== 'undefined' && value instanceof Event
  const kind = isEvent ? Object.prototype.toString.call(value).slice(8, -1) : 'Object'
  const text = isEvent
    ? `Event \`${kind}\` (type=${value.type}) captured as ${captured}`
    : isObject
      ? `Object captured as ${captured} with keys: ${Object.keys(value).sort().slice(0, 40).join(', ') || '[object has no keys]'}`
      : isRejection
        ? `Non-Error promise rejection captured with value: ${textOf(value)}`
        : textOf(value)
  return {
    type: isEvent ? kind : isRejection ? 'UnhandledRejection' : 'Error',
    value: cut(text, messageCharactersMax),
    mechanism: { ...mechanism, synthetic: true },
    ...(synthetic && stackOf(synthetic, '')),
  }
}

function stackOf(error: unknown, message: string): { stacktrace?: { frames: EventFrame[] } } {
  const stack = read(error, 'stack')
  if (typeof stack !== 'string') return {}
  // Chrome writes the message first, and its lines may look like frames.
  const start = message === '' ? -1 : stack.indexOf(message)
  const hasHead = start >= 0 && /^[^\n]*: $/.test(stack.slice(0, start))
  const lines = hasHead ? stack.slice(start + message.length) : stack
  const frames = parseStack(lines, Number(read(error, 'framesToPop')) || 0)
  return frames.length > 0 ? { stacktrace: { frames } } : {}
}

/** A member of anything; undefined where there is none or reading it throws. */
function read(owner: unknown, name: string): unknown {
  try {
    return (owner as Record<string, unknown> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'symbol' || value === undefined ? String(value) : `${value as string}`
  } catch {
    return '[Unreadable]'
  }
}
