export const attributeTypes = ['string', 'integer', 'double', 'boolean', 'array'] as const

/** One attribute of a log, metric or streamed span. */
export interface Attribute {
  readonly value: string | number | boolean | readonly (string | number | boolean)[]
  readonly type: (typeof attributeTypes)[number]
  readonly unit?: string
}

export type Attributes = Readonly<Record<string, Attribute>>

/** Plain values in wire form. Null, undefined, not-a-number and nested values have no such form. */
export function toAttributes(values: Readonly<Record<string, unknown>>): Attributes {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const attribute = toAttribute(value)
    return attribute === null ? [] : [[name, attribute] as const]
  })
  return Object.fromEntries(entries)
}

function toAttribute(value: unknown): Attribute | null {
  if (typeof value === 'string') return { value, type: 'string' }
  if (typeof value === 'boolean') return { value, type: 'boolean' }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return { value, type: Number.isInteger(value) ? 'integer' : 'double' }
  }
  if (Array.isArray(value) && value.every((member) => toAttribute(member)?.type !== 'array')) {
    const members = value.filter((member) => toAttribute(member) !== null)
    return { value: members as (string | number | boolean)[], type: 'array' }
  }
  return null
}
