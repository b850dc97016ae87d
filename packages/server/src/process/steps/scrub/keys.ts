import type { ScrubbingSettings } from '../../items/item.ts'

/**
 * Decides by its name whether a value is a secret. Names are compared in the form `_db_password_`,
 * whatever their style: `dbPassword`, `DB-PASSWORD` and `db.password` are the same.
 */
const sensitiveNames: readonly string[] = [
  // Promise a secret wherever they stand, also inside a word: `csrfmiddlewaretoken`.
  'passwor[dt]|passwd|passphrase|passcode|kennwort|contrasen|mot_?de_?passe|secret|token|credential',
  'bearer|jwt|csrf|xsrf|saml|mnemonic|auth(?!or(?!i[sz]))|sess(?:ion)?_?id|set_?cookie|credit_?card|debit_?card',
  // Keys of locks, as opposed to those of tables and keyboards.
  '(?:api|access|private|encryption|decryption|signing|master|ssh|shared|account|storage|licen[cs]e|service' +
    '|subscription|client|app|consumer|hmac|aes|rsa|pgp|gpg|wallet|recovery|session|deploy)_?keys?_',
  // Whole words.
  '_(?:pass|pw|pwd|pin|pin_?code|puk|cvv|cvc|cvn|csc|otp|totp|hotp|mfa|tfa|2_?fa|ssn|itin|iban|sid|salt|dob)\\d?_',
  '_[a-z]{1,12}pwd\\d?_|_(?!(?:by|com|encom|tres|over|under|sur)pass)[a-z]{1,12}pass\\d?_',
  // Several words, with or without a gap.
  'card_?(?:num|no_|code|exp|holder|security)|_cc_?(?:num|no|exp|code)|account_?(?:num|no_)|routing_?(?:num|no_)',
  'social_?security|national_?(?:id_|insurance)|passport|driv(?:ers?|ing)_?licen[cs]e|tax_?(?:id_|payer|num)',
  '(?:security|verification|one_?time|recovery|backup|confirmation|activation|access|login)_?(?:code|phrase)',
  '(?:seed|wallet)_?(?:phrase|words?_)|security_?answer|connection_?string|sort_?code|birth_?(?:date|day)|date_?of_?birth',
  '_cookies?_$',
]

/** Sessions and signatures: the last word may say that it is a measure of one. */
const sessionNames = /_(?:sess|sessions?|signature|sig)_/
const measure =
  /_(?:tokens|type|count|length|size|duration|timeout|ms|seconds|status|started|start|ended|end|at|rate|mode|version|limit|max|min)_$/

/** Cookies that carry a session, by their whole name or by a part that only such cookies have. */
const sessionCookie =
  /sess|sid$|^(?:sentrysid|sudo|su|symfony|_?xsrf|_?csrf)$|(?:csrf|xsrf)[-_]?token|fastcsrf|_iris_csrf|identity/i

/** Names that hold the address of a person, as opposed to `zip` or `ship`. */
const addressNames =
  /(?:^|[-_.])ip(?:[-_.]?addr(?:ess)?)?$|ip[-_.]?addr(?:ess)?$|(?:remote|client)[-_.]?addr(?:ess)?$|(?:client|user|remote|peer|source|sender|real|connecting)[-_.]?ip$|forwarded(?:[-_.]for)?$/i

/** Names of what is a machine's or a version's, and of whoever the application says a user is. */
const namedOnPurpose =
  /_(?:version|release|build|host|hostname|server|domain)_|^_(?:enduser|user)_(?:id|name|email|username|full_name)_$|^_contact_email_$/

const phoneNames =
  /_(?:phone|telephone|mobile|cell|cellphone|tel|fax|msisdn|whatsapp)(?:_(?:number|no))?_$/

/** Parameters of an address that are secrets there, and something else elsewhere: `code`, `ticket`. */
const queryNames = /^(?:code|ticket)$/i

/** Keys come from the code of applications: some thousands. A sender of random ones empties the cache. */
const cacheMax = 4096

export type KeyTest = (key: string) => boolean

/** The rules about names that a project chose, each remembered per name. */
export interface KeyRules {
  readonly isSensitive: KeyTest
  readonly isSensitiveCookie: KeyTest
  /** As `isSensitive`, for the parameters of an address. */
  readonly isSensitiveQuery: KeyTest
  /** True if a number under this name is a telephone number. */
  readonly isPhone: KeyTest
  /** True if personal-looking data under this name is there on purpose, or not about a person. */
  readonly isNamedOnPurpose: KeyTest
  /** True if a number under this name counts or measures: `max_tokens`. */
  readonly isMeasure: KeyTest
}

/** The tests for one project's settings. */
export function keyRules(settings: ScrubbingSettings): KeyRules {
  const safe = new Set(settings.safeFields.map((field) => field.toLowerCase()))
  const ofOwn = ownNames(settings.sensitiveFields)
  const unlessSafe = (test: KeyTest): KeyTest =>
    remembered((key) => test(key) && !safe.has(key.toLowerCase()))
  const { defaults, storeIpAddresses, storeContacts } = settings
  const isSensitive = unlessSafe(
    (key) =>
      ofOwn(key) ||
      (defaults && promisesSecret(key)) ||
      (!storeIpAddresses && addressNames.test(key)),
  )
  return {
    isSensitive,
    isSensitiveCookie: defaults
      ? unlessSafe((name) => isSensitive(name) || sessionCookie.test(name))
      : isSensitive,
    isSensitiveQuery: defaults
      ? unlessSafe((name) => isSensitive(name) || queryNames.test(name))
      : isSensitive,
    isPhone:
      defaults && !storeContacts ? unlessSafe((key) => phoneNames.test(inWords(key))) : () => false,
    isNamedOnPurpose: remembered((key) => namedOnPurpose.test(inWords(key))),
    isMeasure: remembered((key) => measure.test(inWords(key))),
  }
}

const anySensitiveName = new RegExp(sensitiveNames.join('|'))

function promisesSecret(key: string): boolean {
  const name = inWords(key)
  return anySensitiveName.test(name) || (sessionNames.test(name) && !measure.test(name))
}

/** `clientSecret`, `CLIENT-SECRET` and `client.secret` as `_client_secret_`. */
function inWords(key: string): string {
  const words = key
    .slice(0, 256)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^\p{L}\d]+/gu, '_')
  return `_${words}_`.replace(/_{2,}/g, '_').toLowerCase()
}

function ownNames(fields: readonly string[]): KeyTest {
  const names = fields.filter((field) => field !== '')
  if (names.length === 0) return () => false
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(escaped.join('|'), 'i')
  return (key) => pattern.test(key)
}

function remembered(test: KeyTest): KeyTest {
  const cache = new Map<string, boolean>()
  return (key) => {
    const known = cache.get(key)
    if (known !== undefined) return known
    const answer = test(key)
    if (cache.size >= cacheMax) cache.clear()
    cache.set(key, answer)
    return answer
  }
}
