import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { cut, isError, isObject, kindOf, normalize, textOf } from '@afterimage/sdk-core/normalize'
import { nameCharactersMax } from './limits.ts'

export interface ExtraErrorDataOptions {
  /** Levels of the members that are sent; as many as of all data by default, and at most. */
  readonly depth?: number
  /** False leaves out the members of the error's cause. */
  readonly captureErrorCause?: boolean
}

/** Members that the event has by themselves, or that engines add. */
const known = new Set(
  'name message stack cause line column fileName lineNumber columnNumber toJSON'.split(' '),
)

/**
 * Sends the members that an application gave to an Error (`error.code`), and those of its cause, as
 * a context with the error's name.
 */
export function extraErrorData(options: ExtraErrorDataOptions = {}): Integration {
  const { depth = Infinity, captureErrorCause = true } = options
  return {
    name: 'extraErrorData',
    processEvent(event, { originalException: error }) {
      if (event.type || !isError(error)) return event
      const data = membersOf(error)
      const cause = captureErrorCause ? (error as Error).cause : undefined
      if (cause !== undefined) {
        data['cause'] = isError(cause) ? { [nameOf(cause)]: membersOf(cause) } : cause
      }
      if (!Object.keys(data)[0]) return event
      const context = prune(normalize(data), depth) as Record<string, unknown>
      // The event's own contexts stay, whatever an error calls itself.
      return { ...event, contexts: { [nameOf(error)]: context, ...event.contexts } }
    },
  }
}

function membersOf(error: unknown): Record<string, unknown> {
  const names = Object.keys(error as object).filter((it) => !known.has(it))
  return Object.fromEntries(
    names.map((it) => [it, guard(() => (error as Record<string, unknown>)[it], '[Unreadable]')]),
  )
}

function nameOf(error: unknown): string {
  return cut(textOf((error as Error).name || 'Error'), nameCharactersMax)
}

/** Names what lies deeper than so many levels by its kind. */
function prune(data: unknown, depthLeft: number): unknown {
  if (!isObject(data)) return data
  if (depthLeft < 0) return `[${kindOf(data)}]`
  if (Array.isArray(data)) return data.map((it) => prune(it, depthLeft - 1))
  return Object.fromEntries(
    Object.entries(data).map(([name, it]) => [name, prune(it, depthLeft - 1)]),
  )
}
