/** Base 32 without the letters that are taken for digits (Crockford). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The id that people say: `STORE-3F7` for the 3,559th issue of the project `store`. */
export function shortIdOf(projectSlug: string, number: number): string {
  let digits = ''
  for (let rest = number; rest > 0 || digits === ''; rest = Math.floor(rest / 32)) {
    digits = (ALPHABET[rest % 32] ?? '') + digits
  }
  return `${projectSlug.toUpperCase()}-${digits}`
}
