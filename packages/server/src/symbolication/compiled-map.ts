import { closeSync, openSync } from 'node:fs'
import { BlockReader, type FilePages, type Pages } from './block-file.ts'
import {
  noContent,
  splitTables,
  valuesPerFunction,
  valuesPerMapping,
  wordsPerSource,
} from './compiled-tables.ts'
import { PositionTable } from './position-table.ts'
import { TextList } from './text-list.ts'

/** A position of a source; line and column from 0. */
export interface SourcePosition {
  readonly source: number
  readonly line: number
  readonly column: number
  /** Number of the name that the map has for this place; -1 without one. */
  readonly name: number
}

let filesOpened = 0

/**
 * An open compiled map. It holds its index in memory, and reads the blocks it is asked for by their
 * place in the file. Every answer may throw `DamagedMap`.
 */
export class CompiledMap {
  readonly #descriptor: number
  readonly #mappings: PositionTable
  readonly #functions: PositionTable
  readonly #names: TextList
  readonly #paths: TextList
  readonly #lines: TextList
  readonly #sources: Uint32Array
  /** Memory of the index. */
  readonly indexBytes: number

  /** @throws DamagedMap; what the file system throws */
  constructor(path: string, pages: Pages) {
    this.#descriptor = openSync(path, 'r')
    try {
      const reader = new BlockReader(this.#descriptor)
      filesOpened += 1
      const file: FilePages = { reader, pages, fileNumber: filesOpened }
      const tables = splitTables(reader.index)
      this.#mappings = new PositionTable(file, tables.mappings, valuesPerMapping)
      this.#functions = new PositionTable(file, tables.functions, valuesPerFunction)
      this.#names = new TextList(file, tables.names)
      this.#paths = new TextList(file, tables.paths)
      this.#lines = new TextList(file, tables.lines)
      this.#sources = tables.sources
      this.indexBytes = reader.index.byteLength
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /** Finds the mapping at or before a column of the script's line; line and column from 0. */
  position(line: number, column: number): SourcePosition | null {
    const found = this.#mappings.lastAtOrBefore(line, column)
    if (found === null) return null
    const { page, at } = found
    const source = page[at + 2]!
    if (page[at] !== line || source < 0) return null
    return { source, line: page[at + 3]!, column: page[at + 4]!, name: page[at + 5]! }
  }

  /** Names the function around a position of the script; null outside of all, and inside one without a name. */
  functionAt(line: number, column: number): string | null {
    const found = this.#functions.lastAtOrBefore(line, column)
    const name = found === null ? -1 : found.page[found.at + 2]!
    return name < 0 ? null : this.#names.get(name)
  }

  /** True when the functions of the script are known, so that a position without a name has none. */
  get knowsFunctions(): boolean {
    return !this.#functions.isEmpty
  }

  name(number: number): string | null {
    return number < 0 ? null : this.#names.get(number)
  }

  /** The path of a source, as the map has it. */
  path(source: number): string {
    return this.#paths.get(source)
  }

  isIgnored(source: number): boolean {
    return this.#sources[source * wordsPerSource + 2] === 1
  }

  /** Counts the lines of a source; null when the map does not bring its text. */
  lineCount(source: number): number | null {
    const count = this.#sources[source * wordsPerSource + 1]!
    return count === noContent ? null : count
  }

  /** Returns the lines of a source from one to before another, as far as there are any. */
  lines(source: number, from: number, to: number): string[] {
    const first = this.#sources[source * wordsPerSource]!
    const count = this.lineCount(source) ?? 0
    return this.#lines.range(first + Math.max(from, 0), first + Math.min(to, count))
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
