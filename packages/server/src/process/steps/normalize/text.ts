import type { EventProblem } from '@afterimage/protocol/event'
import { eventLimits } from './limits.ts'

/** Cuts to at most `max` characters, the last three being `...`, and never through a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 3
  const last = text.charCodeAt(end - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}...`
}

/** Text, or a number or boolean written as text; null for anything else and for empty text. */
export function readText(value: unknown, max: number): string | null {
  if (typeof value === 'string') return value === '' ? null : cut(value, max)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return null
}

/** As `readText`, and other JSON as its text: some SDKs send objects where a message belongs. */
export function readAsText(value: unknown, max: number): string | null {
  if (typeof value !== 'object' || value === null) return readText(value, max)
  return cut(stringifyBounded(value), max)
}

/** JSON text of a value that came out of a JSON parser; `[Object]` when it is too deep to write. */
export function stringifyBounded(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '[Object]'
  }
}

export function readInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) : null
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The list of an interface in any of its three forms: `{values: […]}`, a plain list, or one
 * object alone. NOTE: a list must be recognised first, since `[].values` is a function.
 */
export function readValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return []
  const values = value['values']
  if (Array.isArray(values)) return values
  return values === undefined || values === null ? (isEmpty(value) ? [] : [value]) : [values]
}

function isEmpty(value: Record<string, unknown>): boolean {
  for (const key in value) if (key !== 'values') return false
  return true
}

const hexPatterns: Record<number, RegExp> = { 16: /^[0-9a-f]{16}$/, 32: /^[0-9a-f]{32}$/ }

/** Reads an identifier of so many hex digits, in lower case without dashes; null when invalid or all zeros. */
export function readHexId(value: unknown, length: 16 | 32): string | null {
  if (typeof value !== 'string' || value.length > 64) return null
  const id = value.replaceAll('-', '').toLowerCase()
  if (!hexPatterns[length]!.test(id)) return null
  return /[^0]/.test(id) ? id : null
}

/** Remembers what was wrong with a member; the list is bounded. */
export function addProblem(
  problems: EventProblem[],
  type: string,
  name: string,
  value?: unknown,
): void {
  if (problems.length >= eventLimits.problems) return
  const short = value === undefined ? null : readAsText(value, eventLimits.problemValue)
  problems.push(short === null ? { type, name } : { type, name, value: short })
}
