import type { JsonObject } from './json.ts'
import { nameCharactersMax } from './limits.ts'

/** Members of a JSON object from outside, read one by one. Null when absent or of another type. */

/** A text cut to `charactersMax`; numbers and booleans become text, an empty text is null. */
export function readText(
  object: JsonObject,
  name: string,
  charactersMax: number = nameCharactersMax,
): string | null {
  const value = object[name]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return null
  const text = value.trim().slice(0, charactersMax)
  return text === '' ? null : text
}

export function readNumber(object: JsonObject, name: string): number | null {
  const value = object[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** A whole number from 0 that is exact in a double. */
export function readCount(object: JsonObject, name: string): number | null {
  const value = object[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

export function readList(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name]
  return Array.isArray(value) ? (value as unknown[]) : []
}

export function readObject(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

/** One of a closed list of words, or null. */
export function readWord<W extends string>(
  object: JsonObject,
  name: string,
  words: readonly W[],
): W | null {
  const value = object[name]
  return words.find((word) => word === value) ?? null
}
