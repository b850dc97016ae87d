/**
 * Secrets inside of text. Every pattern takes linear time: repetitions are bounded and what follows
 * one cannot also be part of it. A cheap look first decides whether any pattern can match at all.
 */
import { sensitiveNames } from './keys.ts'

export const filtered = '[Filtered]'

/** Every pattern below needs one of these. */
const worthALook =
  /\d{3}|[=@\\]|-----BEGIN|bearer |basic |\/home\/|\/Users\/|["']\s?:|passw|passphrase|secret|key ?:/i

/** Amex 15, Visa 13 or 16, Mastercard and Discover 16 digits, with blanks or dashes between them or without. */
const card =
  /(?<![\d.-])(?:3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|4\d{3}[ -]?\d{4}[ -]?\d{4}[ -]?\d(?:\d{3})?|5[1-5]\d{2}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}|6(?:011|5\d{2})[ -]?\d{4}[ -]?\d{4}[ -]?\d{4})(?![\d-])/g
const socialSecurityNumber = /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g
const urlCredentials = /\/\/[^\s/?#@"'<>]{1,512}@/g
const bearer = /\b(bearer|basic) {1,4}[\w.~+/-]{6,4096}={0,2}/gi
const homeFolder = /(\/home\/|\/Users\/|\b[A-Z]:\\Users\\)[^\s/\\:"'<>|?*]{1,128}/g
const assignment = new RegExp(
  `(${sensitiveNames})([\\w.-]{0,32} ?= ?)("[^"]{0,1024}(?:"|$)|'[^']{0,1024}(?:'|$)|[^\\s&;,"'#)\\]}]{1,2048})`,
  'gi',
)
/** `password: x` in prose; not `token:`, which parsers complain about. */
const spoken =
  /((?:password|passwd|passphrase|secret|api[-_ ]?key)\w{0,16} ?: ?)([^\s&;,"'#)\]}]{1,2048})/gi
const jsonMember = new RegExp(
  `((?:${sensitiveNames})[\\w.-]{0,32}\\\\?["'] ?: ?)(\\\\?"[^"\\\\]{0,1024}(?:\\\\?"|$)|'[^']{0,1024}(?:'|$)|[\\w.+-]{1,1024})`,
  'gi',
)

/** Text with what looks like a secret replaced. Words that nobody looks for are returned as they came. */
export function scrubText(text: string): string {
  if (text.length < 6 || !worthALook.test(text)) return text
  let out = text
  if (/\d{3}/.test(out)) out = out.replace(card, filtered).replace(socialSecurityNumber, filtered)
  if (out.includes('@')) out = out.replace(urlCredentials, `//${filtered}@`)
  if (out.includes('-----BEGIN')) out = scrubPrivateKeys(out)
  if (/bearer |basic /i.test(out)) out = out.replace(bearer, `$1 ${filtered}`)
  if (out.includes('=')) out = out.replace(assignment, `$1$2${filtered}`)
  if (out.includes(':')) out = out.replace(spoken, `$1${filtered}`)
  if (/["']\s?:/.test(out)) out = out.replace(jsonMember, `$1"${filtered}"`)
  return out
}

/** As `scrubText`, and names of users in the paths of their home folders. */
export function scrubTextAndPaths(text: string): string {
  const out = scrubText(text)
  return out.includes('/home/') || out.includes('Users')
    ? out.replace(homeFolder, `$1${filtered}`)
    : out
}

/** Replaces what stands between the BEGIN and END lines of a key; to the end of a text that was cut before. */
function scrubPrivateKeys(text: string): string {
  const begin = /-----BEGIN [A-Z0-9 ]{0,40}KEY-----/g
  let out = ''
  let kept = 0
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const bodyAt = begin.lastIndex
    const end = text.indexOf('-----END', bodyAt)
    out += `${text.slice(kept, bodyAt)}${filtered}`
    kept = end < 0 ? text.length : end
    begin.lastIndex = kept
  }
  return out + text.slice(kept)
}
