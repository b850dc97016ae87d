import type { ScriptPosition } from './function-names.ts'
import type { SourceMap } from './source-map.ts'
import type { SourceTexts } from './source-texts.ts'
import type { SourceMapSegment } from '@jridgewell/trace-mapping'

const word = '([\\p{ID_Start}$_][\\p{ID_Continue}$]*)'
const identifier = new RegExp(`#?${word}`, 'uy')
const declaration = new RegExp(`(?:async\\s+)?function\\s*\\*?\\s*${word}`, 'uy')

/** Words that begin a place which is not a name. */
const keywords = new Set(
  'async await class const default export extends function get let new return set static this typeof var void'.split(
    ' ',
  ),
)

/**
 * Returns what stands in the source where a name of the script comes from: the map's own name, else the
 * identifier there. Null when the map has nothing for exactly this position.
 */
export function originalName(
  map: SourceMap,
  texts: SourceTexts,
  position: ScriptPosition,
  kind: 'identifier' | 'declaration',
): string | null {
  const segment = segmentAt(map.mappings[position.line] ?? [], position.column)
  if (segment?.length !== 4 && segment?.length !== 5) return null
  const [, source, line, column, name] = segment
  const named = name === undefined ? undefined : map.names[name]
  if (named && kind === 'identifier') return named
  const pattern = kind === 'identifier' ? identifier : declaration
  pattern.lastIndex = column
  const text = texts.lines(source)?.[line] ?? ''
  const found = pattern.exec(text)?.[1] ?? null
  return found === null || keywords.has(found) ? null : found
}

/** Finds the segment that begins at exactly this column. */
function segmentAt(segments: readonly SourceMapSegment[], column: number): SourceMapSegment | null {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (segments[middle]![0] <= column) low = middle + 1
    else high = middle
  }
  const segment = segments[low - 1]
  return segment?.[0] === column ? segment : null
}
