/**
 * Keeps our errors from the page: every entry runs inside `guard`, and swallowed errors are
 * counted.
 */

let swallowed = 0

/** Runs our own code. An error is kept from the page, and `fallback` is returned. */
export function guard<R>(run: () => R, fallback: R): R
export function guard<R>(run: () => R): R | undefined
export function guard<R>(run: () => R, fallback?: R): R | undefined {
  try {
    return run()
  } catch {
    swallowed += 1
    return fallback
  }
}

/** Runs an action for each member, even if some throw. */
export function guardEach<T>(list: Iterable<T>, run: (it: T) => unknown): void {
  for (const it of list) guard(() => run(it))
}

/** Number of errors kept from the page: those of our code, and of getters of its objects. */
export function swallowedErrors(): number {
  return swallowed
}
