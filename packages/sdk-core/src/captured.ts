import { isObject } from './normalize.ts'

/** Captured objects: a boundary and the global handler may both see the same one. */
const captured = new WeakSet<object>()

/**
 * Tells whether a value was not captured before, and marks it as captured. Primitives always are
 * new.
 */
export function isFirstCapture(thrown: unknown): boolean {
  return !isObject(thrown) || (!captured.has(thrown) && !!captured.add(thrown))
}
