import type { EventException, EventMechanism } from '@afterimage/protocol/event'
import type { Hint, SdkEvent } from './event.ts'
import { guard } from './guard.ts'
import { linkedErrorsMax, messageCharactersMax } from './limits.ts'
import { cut, kindOf, normalize, textOf } from './normalize.ts'
import { parseStack } from './stack.ts'

interface Link {
  readonly value: unknown
  /** How it hangs on the one that named it; empty for what was thrown. */
  readonly mechanism: Partial<EventMechanism>
}

/**
 * The event of something thrown or handed over, of any type and from any realm. Its causes and the
 * errors of an AggregateError come with it: the deepest first, what was thrown last.
 */
export function exceptionEvent(thrown: unknown, hint: Hint = {}): SdkEvent {
  const { mechanism = { type: 'generic', handled: true }, syntheticException } = hint
  const error = [thrown, read(thrown, 'error'), read(thrown, 'reason')].find(isError)
  const values: EventException[] = []
  if (!error) {
    const value = {
      ...describeOther(thrown, mechanism.type),
      mechanism: { ...mechanism, synthetic: true },
    }
    return {
      exception: { values: [addStack(value, syntheticException)] },
      ...(isObject(thrown) && { extra: { __serialized__: normalize(thrown) } }),
    }
  }
  const links: Link[] = [{ value: error, mechanism: {} }]
  // Breadth first: `links` grows while it is read.
  for (const [id, { value, mechanism: link }] of links.entries()) {
    const errors = read(value, 'errors')
    const members: [string, unknown][] = [['cause', read(value, 'cause')]]
    if (Array.isArray(errors)) {
      errors
        .slice(0, linkedErrorsMax)
        .forEach((it, index) => members.push([`errors[${index}]`, it]))
    }
    for (const [source, member] of members) {
      if (
        !isError(member) ||
        links.length > linkedErrorsMax ||
        links.some((it) => it.value === member)
      )
        continue
      links.push({ value: member, mechanism: { type: 'chained', source, parent_id: id } })
    }
    const isGroup = Array.isArray(errors) && { is_exception_group: true }
    const described = {
      type: textOf(read(value, 'name') || 'Error'),
      value: cut(textOf(read(value, 'message') || 'No error message'), messageCharactersMax),
      mechanism: { ...mechanism, ...link, exception_id: id, ...isGroup },
    }
    values.unshift(addStack(described, value, id === 0 && syntheticException))
  }
  return { exception: { values } }
}

/** Errors of other realms are no `instanceof Error` of ours. */
function isError(value: unknown): boolean {
  return guard(() => value instanceof Error) || /Error$|Exception$/.test(kindOf(value))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What is no error is named by its kind and its members' names; what is plain, by its value. */
function describeOther(value: unknown, mechanismType: string): { type: string; value: string } {
  const kind = isObject(value) && kindOf(value)
  const fallback = mechanismType === 'onunhandledrejection' ? 'UnhandledRejection' : 'Error'
  const text = isObject(value)
    ? `${kind} captured as exception with keys: ${guard(() => Object.keys(value).sort().slice(0, 40).join(', '))}`
    : `${fallback === 'Error' ? '' : 'Non-Error promise rejection captured with value: '}${textOf(value)}`
  return {
    type: kind && kind !== 'Object' ? kind : fallback,
    value: cut(text, messageCharactersMax),
  }
}

/** Adds the frames of the first that has any. */
function addStack(described: EventException, ...errors: readonly unknown[]): EventException {
  for (const error of errors) {
    const message = textOf(read(error, 'message'))
    const stack = textOf(read(error, 'stack') ?? '')
    // Chrome writes the message first, and its lines may look like frames.
    const start = stack.indexOf(message)
    const isHeadFirst = start > 0 && /^[^\n]*: $/.test(stack.slice(0, start))
    const frames = parseStack(
      isHeadFirst ? stack.slice(start + message.length) : stack,
      Number(read(error, 'framesToPop')) || 0,
    )
    if (frames[0]) return { ...described, stacktrace: { frames } }
  }
  return described
}

/** A member of anything; undefined where there is none or reading it throws. */
function read(owner: unknown, name: string): unknown {
  return (owner ?? undefined) && guard(() => (owner as Record<string, unknown>)[name])
}
