/** Base 32 without the letters that are taken for digits (Crockford). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Says whether a text has the form of a short id. */
export function isShortId(text: string): boolean {
  return /^[A-Z0-9_][A-Z0-9_-]{0,49}-[0-9A-HJKMNP-TV-Z]{1,13}$/.test(text)
}

/** The id that people say: `STORE-3F7` for the 3,559th issue of the project `store`. */
export function shortIdOf(projectSlug: string, number: number): string {
  let digits = ''
  for (let rest = number; rest > 0 || digits === ''; rest = Math.floor(rest / 32)) {
    digits = (ALPHABET[rest % 32] ?? '') + digits
  }
  return `${projectSlug.toUpperCase()}-${digits}`
}
