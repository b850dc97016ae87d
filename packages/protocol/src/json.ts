import { jsonDepthMax } from './limits.ts'
import { isRefusal, refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'

/** A JSON object whose members are not yet known. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads a payload as JSON. Lone surrogates become U+FFFD; `NaN` and `Infinity`, which old Python
 * clients write, are read as null; invalid UTF-8, anything else that is not JSON, and nesting over
 * `jsonDepthMax` are refusals.
 */
export function decodeJson(payload: Uint8Array): { readonly value: unknown } | Refusal {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
  } catch {
    return refuse('invalid_encoding', 'payload is not UTF-8')
  }
  return parseJson(text)
}

/** Like `decodeJson`, of text. */
export function parseJson(text: string): { readonly value: unknown } | Refusal {
  const parsed = tryParse(text) ?? tryParse(withoutNonFinite(text))
  if (parsed === null) return refuse('invalid_json', 'payload is not JSON')
  if (isDeeperThan(parsed.value, jsonDepthMax)) {
    return refuse('invalid_json', `payload nests deeper than ${jsonDepthMax}`)
  }
  return parsed
}

/** Like `decodeJson`, and refuses what is not an object. */
export function decodeJsonObject(payload: Uint8Array): JsonObject | Refusal {
  const json = decodeJson(payload)
  if (isRefusal(json)) return json
  return isJsonObject(json.value) ? json.value : refuse('invalid_json', 'payload is not an object')
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Says whether arrays and objects nest deeper than `depth`. Recurses no deeper than that. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  if (Array.isArray(value)) return value.some((member) => isDeeperThan(member, depth - 1))
  // A list of the members would cost as much again.
  for (const name in value) {
    if (isDeeperThan((value as JsonObject)[name], depth - 1)) return true
  }
  return false
}

/** A half of a surrogate pair as JSON writes it: alone it is not a character, and no store accepts it. */
const surrogateEscape = /\\u[dD][89a-fA-F]/

function tryParse(text: string | null): { readonly value: unknown } | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return { value: surrogateEscape.test(text) ? wellFormed(value) : value }
  } catch {
    return null
  }
}

/** The value with U+FFFD in place of each lone surrogate, in names as in texts. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, one]) => [key.toWellFormed(), wellFormed(one)]))
}

/** The text with non-finite numbers as null; strings pass unchanged. Null when there are none. */
function withoutNonFinite(text: string): string | null {
  if (!text.includes('NaN') && !text.includes('Infinity')) return null
  const parts: string[] = []
  let offset = 0
  while (offset < text.length) {
    const quote = text.indexOf('"', offset)
    const outsideEnd = quote === -1 ? text.length : quote
    parts.push(text.slice(offset, outsideEnd).replace(/-?\b(?:NaN|Infinity)\b/g, 'null'))
    offset = quote === -1 ? text.length : stringEnd(text, quote)
    parts.push(text.slice(outsideEnd, offset))
  }
  return parts.join('')
}

/** Offset after the closing quote of the JSON string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return text.length
}
