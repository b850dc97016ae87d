import { boundedCopy } from '../../steps/normalize/bag.ts'
import { isRecord } from '../../steps/normalize/text.ts'
import { asList } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'

/** The attributes of a span, log or metric: plain values by name. */
export type Attributes = Readonly<Record<string, unknown>>

/**
 * Reads attributes of the newer items, `{name: {value, type, unit?}}`, into plain values. A member
 * that is not wrapped is taken as it is, as the first SDKs with logs sent them; a type says nothing
 * that the JSON value does not.
 */
export function readTypedAttributes(raw: unknown): Attributes {
  if (!isRecord(raw)) return {}
  const plain: Record<string, unknown> = {}
  for (const key of Object.keys(raw).slice(0, itemLimits.attributesMax)) {
    const entry = raw[key]
    const value = isRecord(entry) && Object.hasOwn(entry, 'value') ? entry['value'] : entry
    setAttribute(plain, key, value)
  }
  return boundedAttributes(plain)
}

/** Reads the bags of an older span into one: its data, then its tags where data says nothing. */
export function readPlainAttributes(...bags: readonly unknown[]): Attributes {
  const plain: Record<string, unknown> = {}
  for (const bag of bags) {
    if (!isRecord(bag)) continue
    for (const key of Object.keys(bag).slice(0, itemLimits.attributesMax)) {
      if (!Object.hasOwn(plain, key)) setAttribute(plain, key, bag[key])
    }
  }
  return boundedAttributes(plain)
}

function setAttribute(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '' || key === '__proto__' || key.length > itemLimits.attributeKeyCharsMax) return
  if (value === null || value === undefined) return
  target[key] = Array.isArray(value) ? value.slice(0, itemLimits.attributeArrayMax) : value
}

function boundedAttributes(plain: Record<string, unknown>): Attributes {
  for (const key of Object.keys(plain)) {
    const value = plain[key]
    if (typeof value === 'string' && value.length > itemLimits.attributeTextCharsMax) {
      plain[key] = boundedCopy(value, { size: itemLimits.attributeTextCharsMax, depth: 1 })
    }
  }
  const size = itemLimits.attributeCharsMax
  return boundedCopy(plain, { size, depth: itemLimits.attributeDepthMax }) as Attributes
}

/** Returns the spans this one links to, in their stored form; empty when there are none. */
export function readLinks(raw: unknown): readonly Attributes[] {
  return asList(raw)
    .slice(0, itemLimits.linksMax)
    .filter(isRecord)
    .map((link) => boundedCopy(link, { size: 2048, depth: 4 }) as Attributes)
}

/** An attribute as text: null when it is absent or not a text, number or boolean. */
export function textOf(attributes: Attributes, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  }
  return null
}

/** An attribute as a finite number; null otherwise. */
export function numberOf(attributes: Attributes, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return null
}
