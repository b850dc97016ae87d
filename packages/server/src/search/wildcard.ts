/**
 * Returns a test of texts against a pattern, whole and in letters of either case: `*` is any text, unless the
 * pattern was quoted. Looks at a text once, whatever the pattern: people write as many `*` as they like.
 */
export function wildcard(pattern: string, isQuoted: boolean): (text: string) => boolean {
  const parts = isQuoted ? [pattern.toLowerCase()] : pattern.toLowerCase().split('*')
  const [start = '', ...rest] = parts
  const end = rest.pop()
  return (given) => {
    const text = given.toLowerCase()
    if (end === undefined) return text === start
    if (!text.startsWith(start) || !text.endsWith(end)) return false
    let at = start.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= text.length - end.length
  }
}
