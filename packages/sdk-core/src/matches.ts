import type { Pattern } from './options.ts'

/** Whether a text contains, or matches, any of the patterns; none match nothing. */
export function matches(text: string, patterns: readonly Pattern[] | undefined): boolean {
  return (patterns ?? []).some((pattern) => {
    if (typeof pattern === 'string') return text.includes(pattern)
    // A pattern with the flag `g` remembers where it was.
    pattern.lastIndex = 0
    return pattern.test(text)
  })
}
