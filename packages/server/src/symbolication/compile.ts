import { BlockWriter } from './block-file.ts'
import { joinTables, noContent, valuesPerFunction, valuesPerMapping } from './compiled-tables.ts'
import { writePositions } from './position-table.ts'
import { readFunctionNames, type FunctionName } from './function-names.ts'
import { readSourceMap, type SourceMap, type UnusableMap } from './source-map.ts'
import { SourceTexts } from './source-texts.ts'
import { TextListWriter } from './text-list.ts'

/**
 * Compiles a map, with the script whose functions get names, into the parts of a file for
 * `CompiledMap`. The same bytes give the same file.
 */
export function compileSourceMap(
  mapBytes: Uint8Array,
  script: string | null,
): readonly Buffer[] | UnusableMap {
  const map = readSourceMap(mapBytes)
  if ('unusable' in map) return map
  const texts = new SourceTexts(map.sources)
  const writer = new BlockWriter()
  const mappings = writePositions(
    { valuesPerRow: valuesPerMapping, rows: mappingRows(map) },
    writer,
  )
  const names = new Names(map.names, writer)
  const functions = writePositions(
    {
      valuesPerRow: valuesPerFunction,
      rows: functionRows(readFunctionNames(map, texts, script), names),
    },
    writer,
  )
  const paths = new TextListWriter(writer)
  for (const { path } of map.sources) paths.add(path)
  const lines = new TextListWriter(writer)
  const sources = map.sources.flatMap(({ isIgnored }, source) => {
    const text = texts.lines(source)
    const words = [lines.count, text?.length ?? noContent, Number(isIgnored)]
    for (const line of text ?? []) lines.add(line)
    return words
  })
  const tables = { mappings, functions, names: names.list.finish(), sources }
  return writer.finish(joinTables({ ...tables, paths: paths.finish(), lines: lines.finish() }))
}

function mappingRows({ mappings, sources, names }: SourceMap): Int32Array {
  const width = valuesPerMapping + 2
  const count = mappings.reduce((sum, line) => sum + line.length, 0)
  const rows = new Int32Array(count * width)
  let at = 0
  for (const [line, segments] of mappings.entries()) {
    for (const [column, source = -1, sourceLine = -1, sourceColumn = -1, name = -1] of segments) {
      if (column < 0) continue
      // A position that cannot be is as good as one without a source.
      const isMapped =
        source >= 0 && source < sources.length && sourceLine >= 0 && sourceColumn >= 0
      rows[at] = line
      rows[at + 1] = column
      rows[at + 2] = isMapped ? source : -1
      rows[at + 3] = isMapped ? sourceLine : -1
      rows[at + 4] = isMapped ? sourceColumn : -1
      rows[at + 5] = isMapped && name < names.length ? name : -1
      at += width
    }
  }
  return rows.subarray(0, at)
}

function functionRows(functions: readonly FunctionName[], names: Names): Int32Array {
  const rows = new Int32Array(functions.length * 3)
  for (const [index, { line, column, name }] of functions.entries()) {
    rows.set([line, column, name === null ? -1 : names.numberOf(name)], index * 3)
  }
  return rows
}

/** The names of the map, in its order, and after them those of functions. */
class Names {
  readonly list: TextListWriter
  readonly #numbers = new Map<string, number>()

  constructor(names: readonly string[], writer: BlockWriter) {
    this.list = new TextListWriter(writer)
    for (const name of names) this.#numbers.set(name, this.list.add(name))
  }

  numberOf(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.list.add(name)
      this.#numbers.set(name, number)
    }
    return number
  }
}
