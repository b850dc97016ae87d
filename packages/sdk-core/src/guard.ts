/**
 * Nothing of ours is ever thrown at the page: every entry runs inside `guard`, and what it swallowed
 * is counted.
 */

let swallowed = 0

/** Runs our own code. What it throws is kept from the page, and `fallback` is the answer. */
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

/** Does one thing for each, whatever the others throw. */
export function guardEach<T>(list: Iterable<T>, run: (it: T) => unknown): void {
  for (const it of list) guard(() => run(it))
}

/** Counts the errors kept from the page: of our own code, or of a member of its objects that we read. */
export function swallowedErrors(): number {
  return swallowed
}
