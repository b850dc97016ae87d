/**
 * Nothing of ours is ever thrown at the page: every entry runs inside `guard`, and what it swallowed
 * is counted.
 */

let swallowed = 0
let last: unknown

/** Runs our own code. What it throws is kept from the page, and `fallback` is the answer. */
export function guard<R>(run: () => R, fallback: R): R
export function guard<R>(run: () => R): R | undefined
export function guard<R>(run: () => R, fallback?: R): R | undefined {
  try {
    return run()
  } catch (error) {
    swallowed += 1
    last = error
    return fallback
  }
}

/** How many errors of the client's own code were kept from the page, and the last of them. */
export function swallowedErrors(): { readonly count: number; readonly last: unknown } {
  return { count: swallowed, last }
}

/** A callback that the page or the browser will call: guarded, and silent. */
export function guarded<A extends unknown[]>(run: (...values: A) => void): (...values: A) => void {
  return (...values) => guard(() => run(...values))
}
