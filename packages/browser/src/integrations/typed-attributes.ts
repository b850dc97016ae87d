import { cut, normalize } from '@afterimage/sdk-core/normalize'
import { attributeCharactersMax, attributesMax, nameCharactersMax } from './limits.ts'

/** An attribute of a log or a metric as the wire has it. */
export interface TypedAttribute {
  readonly type: 'array' | 'boolean' | 'double' | 'integer' | 'string'
  readonly value: unknown
}

/** Copies attributes as plain data within limits. Absent values are left out; objects become JSON. */
export function typedAttributes(
  attributes: Readonly<Record<string, unknown>>,
): Record<string, TypedAttribute> {
  const given = Object.entries(normalize(attributes)).filter(([, it]) => (it ?? null) !== null)
  return Object.fromEntries(
    given
      .slice(0, attributesMax)
      .map(([name, value]) => [cut(name, nameCharactersMax - 3), typed(value)]),
  )
}

function typed(value: unknown): TypedAttribute {
  if (typeof value === 'boolean') return { type: 'boolean', value }
  if (Number.isFinite(value)) {
    return { type: Number.isInteger(value) ? 'integer' : 'double', value }
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return Array.isArray(value) && text.length <= attributeCharactersMax
    ? { type: 'array', value }
    : { type: 'string', value: cut(text, attributeCharactersMax) }
}
