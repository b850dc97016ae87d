import type { EventProblem } from '@afterimage/protocol/event'
import { eventLimits } from './limits.ts'
import { addProblem, isRecord } from './text.ts'

const reserved = new Set(['release', 'dist', 'user', 'filename', 'function'])
/** Letters of every script: SDKs send what the application wrote. */
const keyPattern = /^[\p{L}\p{N}_.:-]+$/u

/**
 * Reads tags in either form, an object or a list of pairs, as a map of strings; the first of equal
 * keys wins. Tags that cannot be kept are named in `problems`. `environment` stays among them: the
 * event moves it to its place.
 */
export function normalizeTags(raw: unknown, problems: EventProblem[] = []): Record<string, string> {
  const tags: Record<string, string> = {}
  let count = 0
  for (const [rawKey, rawValue] of pairsOf(raw)) {
    if (rawValue === null || rawValue === undefined || rawValue === '') continue
    const key = String(rawKey).trim().replaceAll(' ', '-')
    const value = tagValue(rawValue)
    if (reserved.has(key)) continue
    if (!isTagKey(key) || value === null || count >= eventLimits.tags) {
      addProblem(problems, 'invalid_data', `tags.${key.slice(0, eventLimits.tagKey)}`, rawValue)
      continue
    }
    if (Object.hasOwn(tags, key)) continue
    tags[key] = value
    count += 1
  }
  return tags
}

function isTagKey(key: string): boolean {
  return key.length <= eventLimits.tagKey && keyPattern.test(key) && key !== '__proto__'
}

function pairsOf(raw: unknown): readonly (readonly [unknown, unknown])[] {
  if (isRecord(raw)) return Object.entries(raw)
  if (!Array.isArray(raw)) return []
  const pairs: (readonly [unknown, unknown])[] = []
  for (const item of raw) {
    if (Array.isArray(item) && isScalar(item[0])) pairs.push([item[0], item[1]])
    else if (isRecord(item) && isScalar(item['key'])) pairs.push([item['key'], item['value']])
  }
  return pairs
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function tagValue(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === '' || text.length > eventLimits.tagValue || text.includes('\n')) return null
  return text
}
