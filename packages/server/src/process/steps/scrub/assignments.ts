import { filtered } from './filtered.ts'
import type { KeyRules } from './keys.ts'

/**
 * Values that stand behind their name in text: `password=x`, `"password": "x"`, `password: x`,
 * `?token=x`, `token%3Dx`. One pass from separator to separator; each character is looked at a bounded
 * number of times.
 */

const nameMax = 64
/** A quoted value that does not end within so many characters was cut. */
const quotedMax = 4096

/** Said in prose before a secret. Not `token:`, which parsers complain about. */
const spokenNames =
  /pass(?:wor[dt]|wd|phrase|code)|kennwort|secret|(?:api|access|private|encryption)[-_. ]?key|cookie|authorization|mnemonic|card[-_. ]?number|(?:security|verification|one[- ]?time|recovery)[-_. ]?(?:code|phrase)|^(?:pw|pwd|pass|pin|cvv2?|cvc2?|csc|otp|ssn|iban)$/i
/** The second words of names that are two words in prose: `api key: x`. */
const secondWords = /^(?:key|code|number|phrase)$/i
const schemes = /^(?:bearer|basic|digest|negotiate|apikey) {1,4}/i
/** No secrets, or masked already. */
const harmless = /^["'`]?(?:true|false|null|undefined|none|nil|\[filtered\]?|\*+)["'`]?$/i

/** `source`: lines of a program, where only a literal is a secret and `token = next()` is not. */
export type AssignmentMode = 'text' | 'source'

interface Name {
  readonly text: string
  readonly start: number
  /** In quotes, as JSON has it. */
  readonly isQuoted: boolean
  /** A parameter of an address or a form. */
  readonly isParameter: boolean
}

interface Value {
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

/** Text without the values of sensitive names. */
export function scrubAssignments(text: string, rules: KeyRules, mode: AssignmentMode): string {
  let out = ''
  let kept = 0
  let from = 0
  for (let at = nextSeparator(text, 0); at !== -1; at = nextSeparator(text, from)) {
    const isColon = text[at] === ':'
    from = at + (text[at] === '%' ? 3 : 1)
    const value = secretBehind(text, at, from, rules, mode)
    if (value === null) continue
    const isJson = isColon && value.isQuoted
    out += text.slice(kept, value.start) + (isJson ? `"${filtered}"` : filtered)
    kept = value.end
    from = value.end
  }
  return kept === 0 ? text : out + text.slice(kept)
}

/** Returns the index of the next `=`, `:` or `%3D`, or -1. */
function nextSeparator(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === 0x3d || character === 0x3a) return at
    const isEscaped = character === 0x25 && text[at + 1] === '3'
    if (isEscaped && (text[at + 2] === 'D' || text[at + 2] === 'd')) return at
  }
  return -1
}

/** The value behind a separator when it is a secret; null when it is not one. */
function secretBehind(
  text: string,
  at: number,
  from: number,
  rules: KeyRules,
  mode: AssignmentMode,
): Value | null {
  const isColon = text[at] === ':'
  const following = text[from]
  // Comparisons, arrows, `::`, and the scheme of an address.
  if (following === '=' || following === '>' || following === ':') return null
  if (isColon && following === '/' && text[from + 1] === '/') return null
  const name = nameBefore(text, at)
  if (name === null) return null
  const isSensitive = name.isParameter ? rules.isSensitiveQuery : rules.isSensitive
  const spoken = isColon && !name.isQuoted ? spokenName(text, name) : null
  if (!isSensitive(name.text) && (spoken === null || !isSensitive(spoken))) return null
  const value = valueFrom(text, from, isColon ? (spoken ?? name.text) : '')
  if (value === null) return null
  const words = text.slice(value.start, value.end)
  if (harmless.test(words) || (rules.isMeasure(name.text) && /^\d+$/.test(words))) return null
  if (name.isParameter && isPlainCode(name.text, words, rules)) return null
  if (mode === 'source' && !isLiteral(text, value, words)) return null
  if (spoken !== null && !isSpokenSecret(text, from, spoken, words)) return null
  return { ...value, isQuoted: name.isQuoted }
}

/** The name that ends at a separator; null when nothing there can be one. */
function nameBefore(text: string, at: number): Name | null {
  let end = text[at - 1] === ' ' ? at - 1 : at
  const quote = text[end - 1]
  const isQuoted = quote === '"' || quote === "'"
  if (isQuoted) end -= text[end - 2] === '\\' ? 2 : 1
  // `user[token]` as an address has it.
  if (text[end - 3] === '%' && /^%5[Dd]$/.test(text.slice(end - 3, end))) end -= 3
  let start = end
  while (start > 0 && end - start < nameMax && isNameCharacter(text.charCodeAt(start - 1))) {
    start -= 1
  }
  const before = text[start - 1]
  const isEscaped = before === '%' && end - start > 2
  if (isEscaped) start += 2
  if (start >= end) return null
  const isParameter =
    before === undefined || before === '?' || before === '&' || before === '#' || isEscaped
  return {
    text: text.slice(start, end),
    start,
    isQuoted,
    isParameter: isParameter && text[at] !== ':',
  }
}

/** Letters of any alphabet, digits, and `_ - . $ [ ]`. */
function isNameCharacter(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5d && character !== 0x5c) ||
    (character >= 0x30 && character <= 0x39) ||
    character === 0x5f ||
    character === 0x2d ||
    character === 0x2e ||
    character === 0x24 ||
    character > 0x7f
  )
}

/** A name in prose, of two words where the last alone says little: `api key`. */
function spokenName(text: string, { text: name, start }: Name): string {
  if (!secondWords.test(name)) return name
  const before = /[\w-]{1,32}(?= ?$)/.exec(text.slice(Math.max(0, start - 34), start))
  return before === null ? name : `${before[0]}_${name}`
}

/** Returns the range of the value after a separator; null without a value, or for a list or an object. */
function valueFrom(text: string, from: number, spoken: string): Value | null {
  let start = from
  while (text[start] === ' ' && start - from < 4) start += 1
  const scheme = /authorization/i.test(spoken) ? schemes.exec(text.slice(start, start + 16)) : null
  if (scheme !== null) start += scheme[0].length
  const opening = text[start] === '\\' ? text.slice(start, start + 2) : (text[start] ?? '')
  if (/^\\?["'`]$/.test(opening)) return quotedFrom(text, start, opening)
  if (opening === '{' || opening === '[') return filteredAt(text, start)
  const isLine = /cookie/i.test(spoken)
  const end = isLine ? lineEnd(text, start) : wordEnd(text, start)
  return end === start ? null : { start, end, isQuoted: false }
}

/** `[Filtered]` is a value too, so that it is passed over as a whole. */
function filteredAt(text: string, start: number): Value | null {
  return text.startsWith(filtered, start)
    ? { start, end: start + filtered.length, isQuoted: false }
    : null
}

function quotedFrom(text: string, start: number, opening: string): Value {
  const limit = Math.min(text.length, start + quotedMax)
  const quote = opening.at(-1)
  for (let at = start + opening.length; at < limit; at += 1) {
    if (text[at] === quote) return { start, end: at + 1, isQuoted: true }
    if (text[at] !== '\\') continue
    if (opening.length === 2 && text[at + 1] === quote)
      return { start, end: at + 2, isQuoted: true }
    at += 1
  }
  return { start, end: limit, isQuoted: true }
}

function wordEnd(text: string, start: number): number {
  let end = start
  while (
    end < text.length &&
    !/[\s&;,"'#)\]}<>|\\`]/.test(text[end]!) &&
    !text.startsWith('%26', end)
  ) {
    end += 1
  }
  return end
}

function lineEnd(text: string, start: number): number {
  const end = text.slice(start, start + quotedMax).search(/[\r\n"]/)
  return end === -1 ? Math.min(text.length, start + quotedMax) : start + end
}

/** Tells whether the parameter of an address is a secret. */
export function isQuerySecret(name: string, value: string, rules: KeyRules): boolean {
  if (value === '' || harmless.test(value) || !rules.isSensitiveQuery(name)) return false
  return !isPlainCode(name, value, rules)
}

/** `?code=404` and `?code=NOT_FOUND` say what happened; other codes are those of a sign-in. */
function isPlainCode(name: string, words: string, rules: KeyRules): boolean {
  return !rules.isSensitive(name) && /^(?:\d{1,4}|[A-Z][A-Z_]*|[a-z]{1,4})$/.test(words)
}

/** Text in quotes, or what is too random for the name of a variable and not used as one. */
function isLiteral(text: string, value: Value, words: string): boolean {
  if (value.isQuoted) return words.length > 2
  const isRandom = /^(?:\d{3,}|(?=.*\d)[\w+/=-]{6,})$/.test(words)
  return isRandom && !/[.([]/.test(text[value.end] ?? '')
}

/** Behind a colon in prose: the name must be one that people say, or the value look random. */
function isSpokenSecret(text: string, from: number, name: string, words: string): boolean {
  const hasGap = text[from] === ' '
  // The line and column of a file, the port of a host.
  if (!hasGap && /^\d{1,5}(?::\d+)?$/.test(words))
    return /^(?:pin|cvv2?|cvc2?|csc|otp)$/i.test(name)
  if (spokenNames.test(name)) return true
  return hasGap && words.length >= 6 && /\d/.test(words)
}
