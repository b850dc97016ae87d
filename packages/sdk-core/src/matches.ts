import type { Pattern } from './options.ts'

/** Tells whether a text contains, or matches, any of the patterns; false without patterns. */
export function matches(text: string, patterns: readonly Pattern[] | undefined): boolean {
  return (patterns ?? []).some((pattern) => {
    if (typeof pattern === 'string') return text.includes(pattern)
    // A pattern with the flag `g` is stateful.
    pattern.lastIndex = 0
    return pattern.test(text)
  })
}
