import { dataDepthMax, dataMembersMax, dataValuesMax, textCharactersMax } from './limits.ts'

/**
 * Plain data of whatever a page hands over, cut to what may be sent: never throws, runs no
 * `toJSON`, and keeps no reference to the page's objects. What it cannot show is named in brackets.
 */
export function normalize(value: unknown, depth = dataDepthMax): unknown {
  const ancestors = new Set<object>()
  let valuesLeft = dataValuesMax

  function visit(value: unknown, depthLeft: number): unknown {
    if (typeof value === 'string') return cut(value, textCharactersMax)
    if (value === null || value === undefined || typeof value === 'boolean') return value
    if (typeof value === 'number') return Number.isFinite(value) ? value : `[${value}]`
    if (typeof value !== 'object') return cut(`[${typeof value}] ${nameOf(value)}`, 100)
    if (ancestors.has(value)) return '[Circular ~]'
    if (value instanceof Date) return value.toJSON()
    const isList = Array.isArray(value)
    const kind = Object.prototype.toString.call(value).slice(8, -1)
    if (value instanceof Error) return cut(`${value.name}: ${value.message}`, textCharactersMax)
    if (!isList && kind !== 'Object') return `[${kind}]`
    if (depthLeft < 0) return `[${kind}]`
    ancestors.add(value)
    const copy: Record<string, unknown> | unknown[] = isList ? [] : {}
    let members = 0
    for (const key of Object.keys(value)) {
      members += 1
      valuesLeft -= 1
      if (members > dataMembersMax || valuesLeft < 0) {
        put(copy, key, '[MaxProperties ~]')
        break
      }
      put(copy, key, safely(value as Record<string, unknown>, key, depthLeft))
    }
    ancestors.delete(value)
    return copy
  }

  function safely(owner: Record<string, unknown>, key: string, depthLeft: number): unknown {
    try {
      return visit(owner[key], depthLeft - 1)
    } catch {
      return '[Unreadable]'
    }
  }

  try {
    return visit(value, depth)
  } catch {
    return '[Unreadable]'
  }
}

/** A text of at most `charactersMax` characters, and `...` when it was longer. */
export function cut(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}...` : text
}

function nameOf(value: unknown): string {
  return typeof value === 'function' ? value.name : String(value)
}

/** Defines, so that a member called `__proto__` is one like any other. */
function put(copy: object, key: string, value: unknown): void {
  Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true })
}
