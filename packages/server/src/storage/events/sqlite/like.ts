/** Characters of a pattern that are used; SQLite refuses patterns of more than 50,000 bytes. */
const patternCharsMax = 10_000

/**
 * Converts a search pattern, in which `*` stands for any text, to a pattern of `like … escape
 * '\\'`.
 */
export function matching(pattern: string): string {
  return escaped(pattern).replaceAll(/\*+/g, '%')
}

/** Makes a pattern of `like … escape '\\'` that finds this text literally. */
export function containing(text: string): string {
  return `%${escaped(text)}%`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`).slice(0, patternCharsMax)
}
