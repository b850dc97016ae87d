import { parse as parseWithBowser } from 'bowser'
import { eventLimits } from './limits.ts'

/** The facts a User-Agent header gives; null where it gives none. */
export interface UserAgent {
  readonly browser: { readonly name: string; readonly version: string | null } | null
  readonly os: { readonly name: string; readonly version: string | null } | null
  readonly device: { readonly family: string; readonly model: string | null } | null
}

const nothing: UserAgent = { browser: null, os: null, device: null }

/** A site's visitors bring a few hundred; a sender of random ones only empties the cache. */
const cacheMax = 2048
const cache = new Map<string, UserAgent>()

/** Reads a User-Agent. The sender writes it: a text too long for a browser's is not read. */
export function browserFromUserAgent(text: string | null | undefined): UserAgent {
  if (!text || text.length > eventLimits.userAgent) return nothing
  const known = cache.get(text)
  if (known) return known
  if (cache.size >= cacheMax) cache.clear()
  const parsed = parse(text)
  cache.set(text, parsed)
  return parsed
}

function parse(text: string): UserAgent {
  const { browser, os, platform } = parseWithBowser(text)
  const family = platform.model ?? platform.vendor
  return {
    browser: browser.name ? { name: browser.name, version: browser.version || null } : null,
    os: os.name ? { name: os.name, version: os.versionName || os.version || null } : null,
    device: family ? { family, model: platform.model ?? null } : null,
  }
}

/** Name and major version, `Chrome 126`; null without a name. */
export function nameAndMajor(name: unknown, version: unknown): string | null {
  if (typeof name !== 'string' || name === '') return null
  const major = typeof version === 'string' ? version.split('.', 1)[0] : ''
  return major ? `${name} ${major}` : name
}
