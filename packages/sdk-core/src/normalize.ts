import { guard } from './guard.ts'
import {
  dataDepth,
  dataDepthMax,
  dataMembersMax,
  dataValuesMax,
  textCharactersMax,
} from './limits.ts'

/** Levels below the first that copies keep. */
let depth: number = dataDepth

/** Sets the levels that are kept from now on; the client does so from its options. */
export function setDepth(levels = dataDepth): void {
  depth = Math.min(levels, dataDepthMax)
}

/**
 * Copies any value of the page as plain data within limits. It never throws, runs no `toJSON` and
 * keeps no reference to the page's objects. Values that it cannot copy are named in brackets.
 * `mask`, if given, replaces every text, and `levels` are kept besides the usual ones.
 */
export function normalize<T>(value: T, mask?: string, levels = 0): T {
  let valuesLeft = dataValuesMax

  function copy(value: unknown, ancestors: readonly unknown[]): unknown {
    if (value === undefined || value === null || /number|boolean/.test(typeof value)) return value
    const kind = kindOf(value)
    if (kind !== 'Object' && kind !== 'Array') {
      return mask ?? cut(textOf(value), textCharactersMax)
    }
    if (ancestors.includes(value)) return '[Circular ~]'
    // A depth that is not valid keeps the first level.
    if (ancestors[levels] && !(ancestors.length <= depth + levels)) return `[${kind}]`
    const entries: [string, unknown][] = []
    for (const key of Object.keys(value)) {
      const isFull = entries.length >= dataMembersMax || --valuesLeft < 0
      const member = (): unknown =>
        isFull ? '[More]' : copy((value as Record<string, unknown>)[key], [...ancestors, value])
      entries.push([key, guard(member, '[Unreadable]')])
      if (isFull) break
    }
    return kind === 'Array' ? entries.map((it) => it[1]) : Object.fromEntries(entries)
  }

  return guard(() => copy(value, []), '[Unreadable]') as T
}

/** Returns the engine's name of an object's kind: `Array`, `Date`, `HTMLDivElement` and so on. */
export function kindOf(value: unknown): string {
  return guard(() => Object.prototype.toString.call(value).slice(8, -1), 'Object')
}

/** Tells whether a value has an identity; functions have one. */
export function isObject(value: unknown): value is object {
  return Object(value) === value
}

/**
 * Returns any value as text. Only errors and dates are converted, by the language's own methods;
 * other objects are named by their kind. Their own texts may be private, and those of functions are
 * code.
 */
export function textOf(value: unknown): string {
  const { prototype } = isError(value) ? Error : value instanceof Date ? Date : Object
  return guard(
    () => (isObject(value) ? prototype.toString.call(value) : String(value)),
    '[Unreadable]',
  )
}

/** Errors of other realms are not an `instanceof Error` of ours. */
export function isError(value: unknown): boolean {
  return guard(() => value instanceof Error) || /(Error|Exception)$/.test(kindOf(value))
}

/** Returns a text of at most `charactersMax` characters, and `...` when it was longer. */
export function cut(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${head(text, charactersMax)}...` : text
}

/** Returns the beginning of a text, without half a character at its end. */
export function head(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '')
}
