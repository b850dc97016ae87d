import type { ScrubbingSettings } from '../item.ts'

/** Names whose value is a secret, wherever they stand in a key: `dbPassword`, `x-api-key`. */
export const sensitiveNames =
  'password|passwd|passphrase|pwd|secret|api[-_. ]?key|auth(?!or(?!i[sz]))|credential' +
  '|private[-_. ]?key|token|bearer|jwt|csrf|xsrf|saml|set-cookie'

/** Cookies that carry a session, by their whole name or by a part that only such cookies have. */
const sessionCookie =
  /sess|sid$|^(?:sentrysid|sudo|su|symfony|_?xsrf|_?csrf)$|(?:csrf|xsrf)[-_]?token|fastcsrf|_iris_csrf|identity/i

/** Names that hold the address of a person, as opposed to `zip` or `ship`. */
const addressNames =
  '(?:^|[-_.])ip(?:[-_.]?addr(?:ess)?)?$|ip[-_.]?addr(?:ess)?$|(?:remote|client)[-_.]?addr(?:ess)?$' +
  '|(?:client|user|remote|peer|source|sender|real|connecting)[-_.]?ip$|forwarded(?:[-_.]for)?$'

/** Keys come from the code of applications: some thousands. A sender of random ones empties the cache. */
const cacheMax = 4096

export type KeyTest = (key: string) => boolean

/** One test for all rules about keys, remembered per key. */
export function keyTest(settings: ScrubbingSettings): KeyTest {
  const parts: string[] = settings.sensitiveFields
    .filter((field) => field !== '')
    .map((field) => field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (settings.defaults) parts.push(sensitiveNames)
  if (!settings.storeIpAddresses) parts.push(addressNames)
  if (parts.length === 0) return () => false
  const pattern = new RegExp(parts.join('|'), 'i')
  const safe = new Set(settings.safeFields.map((field) => field.toLowerCase()))
  return remembered((key) => pattern.test(key) && !safe.has(key.toLowerCase()))
}

/** As `keyTest`, for the names of cookies. */
export function cookieTest(settings: ScrubbingSettings, isSensitive: KeyTest): KeyTest {
  if (!settings.defaults) return isSensitive
  const safe = new Set(settings.safeFields.map((field) => field.toLowerCase()))
  return remembered(
    (name) => isSensitive(name) || (sessionCookie.test(name) && !safe.has(name.toLowerCase())),
  )
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
