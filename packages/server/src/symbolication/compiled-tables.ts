import { DamagedMap } from './block-file.ts'

/** Source, line, column and name of a mapping. */
export const valuesPerMapping = 4
/** The name of the function around a position. */
export const valuesPerFunction = 1
/** Number of the first line of a source, count of its lines, and 1 for a source to ignore. */
export const wordsPerSource = 3
/** The count of lines of a source whose text the map does not bring. */
export const noContent = 0xffff_ffff

/** The tables of a compiled map: words of its index, by the table whose blocks they find. */
export interface CompiledTables<T> {
  readonly mappings: T
  readonly functions: T
  readonly names: T
  readonly paths: T
  readonly lines: T
  readonly sources: T
}

const order = ['mappings', 'functions', 'names', 'paths', 'lines', 'sources'] as const

/** Joins the words of all tables behind a list of their lengths. */
export function joinTables(tables: CompiledTables<readonly number[]>): number[] {
  const words: number[] = order.map((name) => tables[name].length)
  for (const name of order) for (const word of tables[name]) words.push(word)
  return words
}

/** Finds the tables in the index of a file. @throws DamagedMap */
export function splitTables(index: Uint32Array): CompiledTables<Uint32Array> {
  let from = order.length
  const tables = order.map((name, table) => {
    const words = index.subarray(from, (from += index[table] ?? 0))
    return [name, words] as const
  })
  if (from !== index.length) throw new DamagedMap('the index does not hold its tables')
  return Object.fromEntries(tables) as unknown as CompiledTables<Uint32Array>
}
