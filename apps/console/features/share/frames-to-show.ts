import type { ApiStacktrace } from '@afterimage/protocol/api/event'
import { placeOf } from '../issue/frames.ts'

export interface ShownFrame {
  readonly name: string
  readonly place: string
  readonly isInApp: boolean
  readonly line: number | null
  /** Code around it, for the newest frame of the application only. */
  readonly lines: readonly (readonly [number, string])[]
}

/** Frames on a shared page; a deeper stack is cut. */
export const framesMax = 50

/** The frames newest first, the code around the first one of the application. */
export function framesToShow(stacktrace: ApiStacktrace | null): readonly ShownFrame[] {
  const frames = [...(stacktrace?.frames ?? [])].reverse().slice(0, framesMax)
  const failing = frames.findIndex((frame) => frame.inApp)
  return frames.map((frame, index) => ({
    name: frame.function ?? '<anonymous>',
    place: placeOf(frame),
    isInApp: frame.inApp,
    line: frame.lineNo,
    lines: index === Math.max(0, failing) ? frame.context : [],
  }))
}
