import { isRecord } from '../steps/normalize/text.ts'

/**
 * Readers of untrusted JSON for items other than events, beside those of `normalize/`. Each returns
 * the value in its one form, or null, and never throws.
 */

/** The value when it is an array, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A member of an object by path; null where any step is missing. Own members only. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let current: unknown = value
  for (const key of path) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return null
    current = current[key]
  }
  return current ?? null
}

/**
 * Text for a column: trimmed and cut to `charsMax`, without a mark and never through a surrogate
 * pair, so that equal names stay equal. Numbers and booleans become text; null when nothing is left.
 */
export function readLabel(value: unknown, charsMax: number): string | null {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') return null
  const trimmed = text.trim()
  if (trimmed.length <= charsMax) return trimmed === '' ? null : trimmed
  return trimmed.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '')
}

/** A finite number; also one written as text, as old SDKs send it. */
export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.trim() === '' || value.length > 64) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** A whole number from 0 to 2^53 - 1. */
export function readCount(value: unknown): number | null {
  const number = readNumber(value)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}
