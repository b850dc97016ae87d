/** Names the functions of a script, so that each of its positions knows the one it is in. */
import { parse, type Node, type Options } from 'acorn'
import { decodeScopes } from './encoded-scopes.ts'
import { scopedScriptBytesMax, nameCharsMax } from './limits.ts'
import { originalName } from './original-name.ts'
import { functionsOf, type NamePart, type ScriptFunction } from './script-functions.ts'
import type { SourceMap } from './source-map.ts'
import type { SourceTexts } from './source-texts.ts'

/** From this position of the script on, up to the next, the function has this name. */
export interface FunctionName {
  readonly line: number
  readonly column: number
  /** Null outside of functions, and in one without a name. */
  readonly name: string | null
}

/**
 * Returns the names of the functions of a script in the words of its sources, by the position from
 * which each holds: as the scopes of the map say, else as the script itself. Empty when neither can be read.
 */
export function readFunctionNames(
  map: SourceMap,
  texts: SourceTexts,
  script: string | null,
): readonly FunctionName[] {
  const brought = map.scopes === null ? [] : decodeScopes(map.scopes, map.names)
  if (brought.length > 0) return brought
  if (script === null || script.length > scopedScriptBytesMax) return []
  const tree = parseScript(script)
  if (tree === null) return []
  const places = new Places(script)
  const nameOf = ({ parts, start }: ScriptFunction): string | null => {
    const words = parts.map((part) => wordOf(part))
    if (words.length > 0) return joined(words)
    return originalName(map, texts, places.of(start), 'declaration')
  }
  const wordOf = ({ text, offset }: NamePart): string =>
    offset === null ? text : (originalName(map, texts, places.of(offset), 'identifier') ?? text)
  return boundaries(functionsOf(tree), nameOf, places)
}

function parseScript(script: string): Node | null {
  const options: Options = {
    ecmaVersion: 'latest',
    allowHashBang: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: true,
  }
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(script, { ...options, sourceType })
    } catch {
      // A script may use what modules forbid; one that is neither has no names.
    }
  }
  return null
}

/** Joins the words of a name, each repetition once: a class may be kept in a variable of its name. */
function joined(words: readonly string[]): string {
  const once = words.filter((word, index) => word !== '' && word !== words[index - 1])
  const constructing = once[0] === 'new' ? 'new ' : ''
  return `${constructing}${once.slice(constructing === '' ? 0 : 1).join('.')}`.slice(
    0,
    nameCharsMax,
  )
}

/** Turns nested ranges into the positions at which the innermost function changes. */
function boundaries(
  functions: readonly ScriptFunction[],
  nameOf: (it: ScriptFunction) => string | null,
  places: Places,
): FunctionName[] {
  const rows: FunctionName[] = []
  const open: { readonly end: number; readonly name: string | null }[] = []
  const put = (offset: number, name: string | null): void => {
    const { line, column } = places.of(offset)
    const last = rows.at(-1)
    if (last?.line === line && last.column === column) rows.pop()
    rows.push({ line, column, name })
  }
  const closeUntil = (offset: number): void => {
    while (open.length > 0 && open.at(-1)!.end <= offset) {
      const { end } = open.pop()!
      put(end, open.at(-1)?.name ?? null)
    }
  }
  for (const it of functions.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    closeUntil(it.start)
    const name = nameOf(it)
    open.push({ end: it.end, name })
    put(it.start, name)
  }
  closeUntil(Infinity)
  return rows
}

/** A position of the script; line and column from 0. */
export interface ScriptPosition {
  readonly line: number
  readonly column: number
}

/** Turns offsets into lines and columns. */
class Places {
  readonly #starts: readonly number[]

  constructor(script: string) {
    const ends = script.matchAll(/\r\n|[\n\r\u2028\u2029]/g)
    this.#starts = [0, ...ends.map(({ index, 0: { length } }) => index + length)]
  }

  of(offset: number): ScriptPosition {
    let low = 0
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return { line: low - 1, column: offset - this.#starts[low - 1]! }
  }
}
