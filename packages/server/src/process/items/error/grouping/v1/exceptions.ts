import type { EventException, NormalizedEvent } from '@afterimage/protocol/event'
import { parameterize } from '../parameterize.ts'
import { frameValues, type FrameValues } from './frames.ts'

/** The parts that tell two errors apart, once by the application's frames and once by all frames. */
export interface Variants {
  /** Null when no frame of the application contributes. */
  readonly app: readonly string[] | null
  readonly system: readonly string[]
}

/** Uses all exceptions of a chain, causes first, and the distinct children of a group. */
export function exceptionVariants(event: NormalizedEvent): Variants | null {
  const exceptions = contributing(event.exception ?? [])
  if (exceptions.length === 0) return null
  const frames = exceptions.map(({ stacktrace }) => frameValues(stacktrace, event.platform))
  const distinct = (by: keyof FrameValues): string[] => [
    ...new Set(exceptions.map((exception, index) => valueOf(exception, frames[index]![by]))),
  ]
  const hasApp = frames.some(({ app }) => app.length > 0)
  return { app: hasApp ? distinct('app') : null, system: distinct('system') }
}

/**
 * Returns the type and the place of an exception; its message only when no frame gives the place.
 */
function valueOf(exception: EventException, frames: readonly string[]): string {
  const isSynthetic = exception.mechanism?.synthetic === true
  const type = isSynthetic ? '' : (exception.type ?? '')
  if (frames.length > 0) return `${type}\n${frames.join('\n')}`
  // A synthetic exception without frames would be nothing at all: then even its made-up type helps.
  const value = parameterize(exception.value ?? '')
  return `${value === '' ? (exception.type ?? '') : type}\n=${value}`
}

function contributing(exceptions: readonly EventException[]): readonly EventException[] {
  const root = exceptions.find(
    ({ mechanism }) => mechanism?.is_exception_group === true && mechanism.parent_id === undefined,
  )
  const rootId = root?.mechanism?.exception_id
  if (rootId === undefined) return exceptions
  const children = exceptions.filter(({ mechanism }) => mechanism?.parent_id === rootId)
  return children.length > 0 ? children : exceptions
}
