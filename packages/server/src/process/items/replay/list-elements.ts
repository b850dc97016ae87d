import { itemLimits } from '../item-limits.ts'

/** The place of an element in the bytes of a JSON list, and its size once expanded. */
export interface ListElement {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** An upper bound of the JSON values in it. */
  readonly values: number
  readonly depth: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

/**
 * Finds the elements of a JSON list without parsing them, in one pass, so that a list of millions of
 * small values costs no memory. Says nothing about whether the elements themselves are JSON. Stops
 * after `recordingEventsMax` elements. Null when the bytes are not one whole list.
 */
export function listElements(bytes: Uint8Array): readonly ListElement[] | null {
  const first = skipSpace(bytes, 0)
  if (bytes[first] !== 0x5b) return null
  const elements: ListElement[] = []
  let position = skipSpace(bytes, first + 1)
  if (bytes[position] === 0x5d) return isRestEmpty(bytes, position + 1) ? elements : null
  while (elements.length < itemLimits.recordingEventsMax) {
    const element = scanElement(bytes, position)
    if (element === null) return null
    elements.push(element)
    if (bytes[element.end] === 0x5d) return isRestEmpty(bytes, element.end + 1) ? elements : null
    position = skipSpace(bytes, element.end + 1)
  }
  return elements
}

/** One element, up to the comma or bracket that ends it; null when the bytes end before, or it is empty. */
function scanElement(bytes: Uint8Array, start: number): ListElement | null {
  let depth = 0
  let deepest = 0
  let values = 1
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === quote) {
      at = endOfString(bytes, at)
      if (at === -1) return null
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      values += 1
      if (depth > deepest) deepest = depth
    } else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return byte === 0x5d ? ended(start, at, values, deepest) : null
      depth -= 1
    } else if (byte === comma || byte === colon) {
      if (depth === 0) return byte === comma ? ended(start, at, values, deepest) : null
      values += 1
    }
  }
  return null
}

function ended(start: number, end: number, values: number, depth: number): ListElement | null {
  return end === start ? null : { start, end, values, depth }
}

/** Position of the quote that ends a string; -1 when none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte === quote) return at
    at += byte === backslash ? 2 : 1
  }
  return -1
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at += 1
  return at
}

function isRestEmpty(bytes: Uint8Array, start: number): boolean {
  return skipSpace(bytes, start) === bytes.length
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
