import { isObject } from './normalize.ts'

/** Objects that were captured: a boundary and the global handler may both see the same one. */
const captured = new WeakSet<object>()

/** Whether this was not captured before; from now on it was. Values without identity always are new. */
export function isFirstCapture(thrown: unknown): boolean {
  return !isObject(thrown) || (!captured.has(thrown) && !!captured.add(thrown))
}
