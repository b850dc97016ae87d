/**
 * Integers by position of the script, sorted. Rows lie in blocks as differences from the row before,
 * in as few bytes as they need; the index has the first position of each block.
 */
import { pageKey, type BlockWriter, type FilePages } from './block-file.ts'

const ROWS_PER_BLOCK = 256
/** Line, column, and place of the block. */
const INDEX_WORDS = 5
/** A row in a block takes at most so many bytes for each of its integers. */
const VARINT_BYTES = 5

/** Rows of line, column and values, one after the other. A value of -1 is absent. */
export interface PositionRows {
  readonly valuesPerRow: number
  readonly rows: Int32Array
}

/** Writes the rows, which are sorted by line and column; returns the words of their index. */
export function writePositions(
  { valuesPerRow, rows }: PositionRows,
  writer: BlockWriter,
): number[] {
  const width = valuesPerRow + 2
  const index: number[] = []
  const scratch = Buffer.alloc(ROWS_PER_BLOCK * width * VARINT_BYTES)
  for (let from = 0; from < rows.length; from += ROWS_PER_BLOCK * width) {
    const block = rows.subarray(from, from + ROWS_PER_BLOCK * width)
    const bytes = encodeBlock(block, width, scratch)
    index.push(block[0]!, block[1]!, ...writer.add(Buffer.from(scratch.subarray(0, bytes))))
  }
  return index
}

function encodeBlock(rows: Int32Array, width: number, target: Buffer): number {
  const last = new Int32Array(width)
  let at = putVarint(target, 0, rows.length / width)
  for (let row = 0; row < rows.length; row += width) {
    const lines = rows[row]! - last[0]!
    at = putVarint(target, at, lines)
    at = putVarint(target, at, lines === 0 ? rows[row + 1]! - last[1]! : rows[row + 1]!)
    last[0] = rows[row]!
    last[1] = rows[row + 1]!
    for (let column = 2; column < width; column += 1) {
      const value = rows[row + column]!
      if (value < 0) {
        at = putVarint(target, at, 0)
        continue
      }
      const delta = value - last[column]!
      at = putVarint(target, at, (delta < 0 ? -2 * delta - 1 : 2 * delta) + 1)
      last[column] = value
    }
  }
  return at
}

function putVarint(target: Buffer, at: number, value: number): number {
  let rest = value
  let end = at
  while (rest > 0x7f) {
    target[end] = (rest % 0x80) + 0x80
    rest = Math.floor(rest / 0x80)
    end += 1
  }
  target[end] = rest
  return end + 1
}

function decodeBlock(bytes: Buffer, width: number): Int32Array {
  let at = 0
  const varint = (): number => {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = bytes[at++]!
      if (byte < 0x80) return value + byte * scale
      value += (byte - 0x80) * scale
      scale *= 0x80
    }
  }
  const rows = new Int32Array(varint() * width)
  const last = new Int32Array(width)
  for (let row = 0; row < rows.length; row += width) {
    const lines = varint()
    const column = varint()
    last[0] = last[0]! + lines
    last[1] = lines === 0 ? last[1]! + column : column
    rows[row] = last[0]
    rows[row + 1] = last[1]
    for (let value = 2; value < width; value += 1) {
      const coded = varint()
      if (coded === 0) {
        rows[row + value] = -1
        continue
      }
      const zigzag = coded - 1
      last[value] = last[value]! + (zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2)
      rows[row + value] = last[value]!
    }
  }
  return rows
}

/** A row of a page: its integers begin at `at`. */
export interface FoundRow {
  readonly page: Int32Array
  readonly at: number
}

/** Finds rows by position, and reads the one block that may have it. */
export class PositionTable {
  readonly #file: FilePages
  readonly #index: Uint32Array
  readonly #width: number

  constructor(file: FilePages, index: Uint32Array, valuesPerRow: number) {
    this.#file = file
    this.#index = index
    this.#width = valuesPerRow + 2
  }

  get isEmpty(): boolean {
    return this.#index.length === 0
  }

  /** Returns the last row at or before a position, on whichever line; null when all rows are behind it. */
  lastAtOrBefore(line: number, column: number): FoundRow | null {
    const block = lastNotAfter(this.#index, INDEX_WORDS, line, column)
    if (block < 0) return null
    const page = this.#page(block)
    return { page, at: lastNotAfter(page, this.#width, line, column) }
  }

  #page(block: number): Int32Array {
    const { pages, reader } = this.#file
    const offset = this.#index[block + 2]!
    const key = pageKey(this.#file, offset)
    const known = pages.get(key)
    if (known !== undefined) return known as Int32Array
    const place = [offset, this.#index[block + 3]!, this.#index[block + 4]!] as const
    const page = decodeBlock(reader.read(place), this.#width)
    pages.set(key, page, page.byteLength)
    return page
  }
}

/** Returns where the last record begins whose first two words are not after the position, or -1. */
function lastNotAfter(
  records: Uint32Array | Int32Array,
  width: number,
  line: number,
  column: number,
): number {
  let low = 0
  let high = records.length / width
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = records[middle * width]!
    if (found < line || (found === line && records[middle * width + 1]! <= column)) low = middle + 1
    else high = middle
  }
  return (low - 1) * width
}
