/** Reads source maps as hostile input: a value that is not a usable map is a verdict, never an exception. */
import { TraceMap, FlattenMap, decodedMappings } from '@jridgewell/trace-mapping'
import type { SourceMapSegment } from '@jridgewell/trace-mapping'
import {
  mapBytesMax,
  mappingsMax,
  nameCharsMax,
  namesMax,
  pathCharsMax,
  scriptLinesMax,
  sectionDepthMax,
  sectionsMax,
  sourcesMax,
} from './limits.ts'

/** A map with its sections joined, every member checked. */
export interface SourceMap {
  /** By line of the script, then sorted by column. */
  readonly mappings: readonly (readonly SourceMapSegment[])[]
  readonly names: readonly string[]
  readonly sources: readonly MapSource[]
  /** Scopes as ECMA-426 encodes them; null without, and in a map of sections. */
  readonly scopes: string | null
}

export interface MapSource {
  /** As the map has it, below its `sourceRoot`. */
  readonly path: string
  readonly content: string | null
  /** True for code that the bundler says to ignore: its own runtime, and libraries. */
  readonly isIgnored: boolean
}

/** Why a map cannot be used. */
export interface UnusableMap {
  readonly unusable: string
  /** True when another try may succeed. */
  readonly isPassing?: true
}

const COMMA = 0x2c
const SEMICOLON = 0x3b

type Json = Readonly<Record<string, unknown>>

/** Parses and checks a map. */
export function readSourceMap(bytes: Uint8Array): SourceMap | UnusableMap {
  if (bytes.length > mapBytesMax) {
    return { unusable: `The map has ${bytes.length} bytes; ${mapBytesMax} are allowed.` }
  }
  const json = parse(bytes)
  if (json === null) return { unusable: 'The map is not a JSON object.' }
  const gathered: Gathered = { sources: [], mappings: 0, lines: 0, sections: 0 }
  const checked = checkMap(json, gathered, 0)
  if (typeof checked === 'string') return { unusable: checked }
  return flattened(checked, gathered.sources)
}

function parse(bytes: Uint8Array): Json | null {
  const text = new TextDecoder().decode(bytes)
  // Some servers put a line before their JSON, so that it cannot be run as a script.
  const from = text.startsWith(")]}'") ? text.indexOf('\n') + 1 : 0
  try {
    const value: unknown = JSON.parse(from === 0 ? text : text.slice(from))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** All sections together. */
interface Gathered {
  readonly sources: MapSource[]
  mappings: number
  lines: number
  sections: number
}

/** A map as the library takes it. */
type CheckedMap = ConstructorParameters<typeof TraceMap>[0] & object

function checkMap(json: Json, gathered: Gathered, depth: number): CheckedMap | string {
  if (json['version'] !== 3 && json['version'] !== '3') return 'The map is not of version 3.'
  return Array.isArray(json['sections'])
    ? checkSections(json['sections'], gathered, depth)
    : checkPlainMap(json, gathered)
}

function checkSections(
  sections: readonly unknown[],
  gathered: Gathered,
  depth: number,
): CheckedMap | string {
  gathered.sections += sections.length
  if (depth >= sectionDepthMax || gathered.sections > sectionsMax) {
    return 'The map has too many sections.'
  }
  const checked: { offset: { line: number; column: number }; map: CheckedMap }[] = []
  for (const section of sections) {
    const { offset, map } = isObject(section) ? section : ({} as Json)
    if (!isObject(offset) || !isObject(map)) return 'A section of the map has no map of its own.'
    const { line, column } = offset
    if (!isPlace(line) || !isPlace(column)) return 'A section of the map has no valid offset.'
    const inner = checkMap(map, gathered, depth + 1)
    if (typeof inner === 'string') return inner
    checked.push({ offset: { line, column }, map: inner })
  }
  return { version: 3, sections: checked } as unknown as CheckedMap
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < scriptLinesMax
}

function checkPlainMap(json: Json, gathered: Gathered): CheckedMap | string {
  const { mappings, names = [], sources, scopes } = json
  if (typeof mappings !== 'string') return 'The map has no mappings.'
  if (!Array.isArray(sources)) return 'The map has no list of sources.'
  if (!Array.isArray(names) || names.length > namesMax) return 'The map has no valid list of names.'
  countMappings(mappings, gathered)
  if (gathered.mappings > mappingsMax || gathered.lines > scriptLinesMax) {
    return 'The map has too many mappings.'
  }
  const first = gathered.sources.length
  gathered.sources.push(...readSources(json, sources))
  if (gathered.sources.length > sourcesMax) return 'The map has too many sources.'
  return {
    version: 3,
    mappings,
    names: names.map((name) => (typeof name === 'string' ? name : '')),
    // Numbers in place of paths: the library would resolve these, and lose the forms of bundlers.
    sources: sources.map((_, index) => String(first + index)),
    ...(typeof scopes === 'string' && { scopes }),
  } as unknown as CheckedMap
}

function* readSources(json: Json, paths: readonly unknown[]): Iterable<MapSource> {
  const contents = Array.isArray(json['sourcesContent']) ? json['sourcesContent'] : []
  const ignored = json['ignoreList'] ?? json['x_google_ignoreList']
  const isIgnored = new Set<unknown>(Array.isArray(ignored) ? ignored : [])
  for (const [index, path] of paths.entries()) {
    const content: unknown = contents[index]
    yield {
      path: pathBelow(json['sourceRoot'], path),
      content: typeof content === 'string' ? content : null,
      isIgnored: isIgnored.has(index),
    }
  }
}

function countMappings(mappings: string, gathered: Gathered): void {
  gathered.mappings += 1
  for (let at = 0; at < mappings.length; at += 1) {
    const code = mappings.charCodeAt(at)
    if (code !== COMMA && code !== SEMICOLON) continue
    gathered.mappings += 1
    if (code === SEMICOLON) gathered.lines += 1
  }
}

/** Puts a relative path below the root that the map names. */
function pathBelow(root: unknown, path: unknown): string {
  const own = typeof path === 'string' ? path : ''
  const isAbsolute = /^(?:\/|[a-z][a-z0-9+.-]+:)/i.test(own)
  if (typeof root !== 'string' || root === '' || own === '' || isAbsolute) return clean(own)
  return clean(`${root.replace(/\/$/, '')}/${own}`)
}

function clean(text: string): string {
  return text.slice(0, pathCharsMax).replaceAll('\n', ' ')
}

function flattened(checked: CheckedMap, sources: readonly MapSource[]): SourceMap {
  const map = 'sections' in checked ? FlattenMap(checked) : new TraceMap(checked)
  const { scopes } = checked as { readonly scopes?: string }
  return {
    mappings: decodedMappings(map),
    names: map.names.map((name) => name.slice(0, nameCharsMax).replaceAll('\n', ' ')),
    sources,
    scopes: scopes ?? null,
  }
}
