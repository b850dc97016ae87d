/** Characters of a pattern that are looked at; SQLite refuses patterns of more than 50,000 bytes. */
const patternCharsMax = 10_000

/** Turns a search pattern, in which `*` stands for any text, into one of `like … escape '\\'`. */
export function matching(pattern: string): string {
  return escaped(pattern).replaceAll(/\*+/g, '%')
}

/** Makes a pattern of `like … escape '\\'` for texts in which this one occurs as it is written. */
export function containing(text: string): string {
  return `%${escaped(text)}%`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`).slice(0, patternCharsMax)
}
