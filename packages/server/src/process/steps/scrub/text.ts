/**
 * Secrets inside of text. Every pattern takes linear time: repetitions are bounded, and what follows
 * one cannot also be part of it. One look at the characters first decides which patterns can match.
 */
import type { ScrubbingSettings } from '../../items/item.ts'
import { scrubAssignments } from './assignments.ts'
import type { AssignmentMode } from './assignments.ts'
import { filtered } from './filtered.ts'
import { keyRules } from './keys.ts'
import type { KeyRules } from './keys.ts'
import { scrubNumbers } from './numbers.ts'
import { scrubAddresses, scrubContacts } from './people.ts'
import { scrubTokens } from './tokens.ts'

/** The rules that scrub text for one project. Each function returns harmless text unchanged. */
export interface TextRules {
  /** Secrets alone: for labels, and for what names a person on purpose. */
  readonly secrets: (text: string) => string
  /** Secrets, and what leads to a person. */
  readonly text: (text: string) => string
  /** As `text`, and the names of users in the paths of their home folders. */
  readonly paths: (text: string) => string
  /** As `text`, for lines of a program. */
  readonly source: (text: string) => string
}

export function textRules(settings: ScrubbingSettings, keys: KeyRules): TextRules {
  if (!settings.defaults) {
    return { secrets: unchanged, text: unchanged, paths: unchanged, source: unchanged }
  }
  const people = (text: string): string => {
    const out = settings.storeContacts ? text : scrubContacts(text)
    return settings.storeIpAddresses ? out : scrubAddresses(out)
  }
  const pass = (text: string, mode: AssignmentMode, withPeople: boolean): string => {
    const look = looksOf(text)
    if (look === nothing && !scheme.test(text)) return text
    const out = scrubSecrets(text, look, keys, mode)
    return withPeople && (look & personal) !== 0 ? people(out) : out
  }
  const scrub = (text: string, mode: AssignmentMode, withPeople: boolean): string => {
    let before = text
    let out = pass(text, mode, withPeople)
    for (let passes = 1; out !== before && passes < passesMax; passes += 1) {
      before = out
      out = pass(before, mode, withPeople)
    }
    return out
  }
  const text = (value: string): string => scrub(value, 'text', true)
  return {
    secrets: (value) => scrub(value, 'text', false),
    text,
    paths: (value) => withoutHomeFolders(text(value)),
    source: (value) => scrub(value, 'source', true),
  }
}

/** A secret can hide in what matched beside it, so text that changed is looked at again. */
const passesMax = 4

function unchanged(text: string): string {
  return text
}

/** The kinds of characters in a text, as bits: patterns that lack theirs are skipped. */
const nothing = 0
const digits = 1
const separator = 2
const at = 4
const joint = 8
const long = 16
const personal = digits | at

const bitOf = new Uint8Array(128)
for (const digit of '0123456789') bitOf[digit.charCodeAt(0)] = digits
for (const character of '=:') bitOf[character.charCodeAt(0)] = separator
for (const character of '@%') bitOf[character.charCodeAt(0)] = at
for (const character of '_-.') bitOf[character.charCodeAt(0)] = joint

/** No token is shorter. */
const tokenMin = 13

function looksOf(text: string): number {
  let bits = text.length >= tokenMin ? long : 0
  for (let place = 0; place < text.length; place += 1) {
    const character = text.charCodeAt(place)
    if (character < 128) bits |= bitOf[character]!
  }
  return bits === long ? nothing : bits
}

const urlCredentials = /\/\/(?!\[Filtered\]@)[^\s/?#@"'<>]{1,512}@/g
const scheme = /bearer |basic /i
const bearer = /\b(bearer|basic) {1,4}([\w.~+/-]{6,4096}={0,2})/gi
const homeFolder = /(\/home\/|\/Users\/|\b[A-Z]:\\Users\\)(?!\[Filtered\])[^\s/\\:"'<>|?*]{1,128}/g
/** `PIN 1234`, `CVV is 123`, `one-time code 123456`. */
const spokenCode =
  /\b((?:pin|puk|cvv2?|cvc2?|csc|otp|passcode|(?:security|verification|one[- ]time|login) code)(?: (?:code|number|is|was|of))?[ :=]{1,3})(\d{3,8})(?![\w-]|[.:]\d)/gi

function scrubSecrets(text: string, look: number, keys: KeyRules, mode: AssignmentMode): string {
  let out = text
  const hasDigits = (look & digits) !== 0
  if (hasDigits && /\d{3}/.test(out)) {
    if (/\d{4}/.test(out)) out = scrubNumbers(out)
    if (/p[iu][nk]|cv[vc]|csc|otp|code/i.test(out)) out = out.replace(spokenCode, `$1${filtered}`)
  }
  if ((look & at) !== 0 && out.includes('//')) out = out.replace(urlCredentials, `//${filtered}@`)
  if ((look & long) !== 0 && (look & (digits | joint)) !== 0) out = scrubTokens(out)
  if (out.includes('-----BEGIN')) out = scrubPrivateKeys(out)
  if (scheme.test(out)) out = out.replace(bearer, withoutCredentials)
  const hasSeparator = (look & (separator | at)) !== 0
  return hasSeparator ? scrubAssignments(out, keys, mode) : out
}

/** Words of prose, as in `basic information`, are not credentials. */
function withoutCredentials(found: string, scheme: string, credentials: string): string {
  return /[\d=]|[a-z][A-Z]/.test(credentials) ? `${scheme} ${filtered}` : found
}

function withoutHomeFolders(text: string): string {
  return text.includes('/home/') || text.includes('Users')
    ? text.replace(homeFolder, `$1${filtered}`)
    : text
}

/** Replaces what stands between the BEGIN and END lines of a key; to the end of a text that was cut before. */
function scrubPrivateKeys(text: string): string {
  const begin = /-----BEGIN [A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----/g
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

/** The rules of a project, made once for its settings. */
export function rulesOf(settings: ScrubbingSettings): KeyRules & TextRules {
  const keys = keyRules(settings)
  return { ...keys, ...textRules(settings, keys) }
}
