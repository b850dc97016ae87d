import type { EventException, EventMechanism } from '@afterimage/protocol/event'
import type { Hint, SdkEvent } from './event.ts'
import { guard } from './guard.ts'
import { linkedErrorsMax, messageCharactersMax } from './limits.ts'
import { cut, isError, isObject, kindOf, normalize, textOf } from './normalize.ts'
import { parseStack } from './stack.ts'

interface Link {
  readonly value: unknown
  /** Relation to the error that named it; empty for the thrown one. */
  readonly mechanism: Partial<EventMechanism>
}

/**
 * Makes an event of a thrown or passed value, of any type and from any realm. Its causes, and the
 * errors of an AggregateError, come with it: the deepest first, the thrown one last.
 */
export function exceptionEvent(thrown: unknown, hint: Hint = {}): SdkEvent {
  const { mechanism = { type: 'generic', handled: true }, syntheticException } = hint
  const error = [thrown, read(thrown, 'error'), read(thrown, 'reason')].find(isError)
  const values: EventException[] = []
  const links: Link[] = [{ value: error ?? thrown, mechanism: {} }]
  const add = (value: unknown, source: string, parent_id: number): void => {
    const isNew = isError(value) && !links.some((it) => it.value === value)
    if (isNew && links.length <= linkedErrorsMax) {
      links.push({ value, mechanism: { type: 'chained', source, parent_id } })
    }
  }
  // Breadth first: `links` grows while it is read.
  for (const [id, { value, mechanism: link }] of links.entries()) {
    const errors = read(value, 'errors')
    const isGroup = Array.isArray(errors)
    add(read(value, 'cause'), 'cause', id)
    if (isGroup) errors.slice(0, linkedErrorsMax).forEach((it, at) => add(it, `errors[${at}]`, id))
    const { type, value: text } = error
      ? {
          type: read(value, 'name') || 'Error',
          value: read(value, 'message') || 'No error message',
        }
      : describeOther(value, mechanism.type)
    values.unshift({
      type: textOf(type),
      value: cut(textOf(text), messageCharactersMax),
      stacktrace: stacktraceOf(value) ?? (id === 0 ? stacktraceOf(syntheticException) : undefined),
      mechanism: {
        ...mechanism,
        ...link,
        exception_id: id,
        is_exception_group: isGroup,
        synthetic: !error,
      },
    } as EventException)
  }
  return {
    exception: { values },
    ...(!error && isObject(thrown) && { extra: { __serialized__: normalize(thrown, '********') } }),
  }
}

/** Describes a thrown value that is not an error: objects by kind and member names, others by value. */
function describeOther(value: unknown, mechanismType: string): { type: string; value: string } {
  const kind = isObject(value) && kindOf(value)
  const [caught, words, type] =
    mechanismType === 'onunhandledrejection'
      ? [
          'promise rejection',
          'Non-Error promise rejection captured with value: ',
          'UnhandledRejection',
        ]
      : ['exception', '', 'Error']
  const keys = (): string =>
    Object.keys(value as object)
      .sort()
      .join(', ')
  return {
    type: kind && kind !== 'Object' ? kind : type,
    value: kind ? `${kind} captured as ${caught} with keys: ${guard(keys)}` : words + textOf(value),
  }
}

/** Returns the frames of an error; undefined where it has none, or a stack of another message. */
function stacktraceOf(error: unknown): EventException['stacktrace'] {
  const message = textOf(read(error, 'message'))
  const stack = textOf(read(error, 'stack'))
  // Chrome begins the stack with the message, whose lines may look like frames. When the message
  // has changed since, the end of the old one cannot be found.
  const [, words] = /^.*?: (.*)/.exec(stack) ?? []
  if (words && !message.includes(words)) return undefined
  const frames = parseStack(
    words ? stack.replace(message, '') : stack,
    Number(read(error, 'framesToPop')) || 0,
  )
  return frames[0] && { frames }
}

/** Reads a member of any value; undefined where there is none, or reading it throws. */
function read(owner: unknown, name: string): unknown {
  return guard(() => (owner as Record<string, unknown>)[name])
}
