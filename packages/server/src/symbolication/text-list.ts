/** Texts by number: names, paths, and all lines of all sources. They lie in compressed blocks. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { DamagedMap, pageKey, type BlockWriter, type FilePages } from './block-file.ts'

/** Characters of a block before it is compressed: what one frame reads for its lines. */
const CHARS_PER_BLOCK = 16 * 1024
/** Number of the first text, and place of the block. */
const INDEX_WORDS = 4
/** No block is larger: one longest line, as UTF-8, after a full block. */
const BLOCK_BYTES_MAX = 1024 * 1024
/** Memory of a text beside its characters. */
const TEXT_BYTES = 32

/** Writes texts, one after the other; none may hold a line feed. */
export class TextListWriter {
  readonly #writer: BlockWriter
  readonly #index: number[] = []
  #waiting: string[] = []
  #chars = 0
  #count = 0

  constructor(writer: BlockWriter) {
    this.#writer = writer
  }

  get count(): number {
    return this.#count
  }

  add(text: string): number {
    this.#waiting.push(text)
    this.#chars += text.length + 1
    this.#count += 1
    if (this.#chars >= CHARS_PER_BLOCK) this.#flush()
    return this.#count - 1
  }

  /** Writes what still waits; returns the words of the index. */
  finish(): number[] {
    this.#flush()
    return this.#index
  }

  #flush(): void {
    if (this.#waiting.length === 0) return
    const bytes = zstdCompressSync(Buffer.from(this.#waiting.join('\n')))
    this.#index.push(this.#count - this.#waiting.length, ...this.#writer.add(bytes))
    this.#waiting = []
    this.#chars = 0
  }
}

/** Reads texts by their number. */
export class TextList {
  readonly #file: FilePages
  readonly #index: Uint32Array

  constructor(file: FilePages, index: Uint32Array) {
    this.#file = file
    this.#index = index
  }

  /** @throws DamagedMap for a number that was never written */
  get(number: number): string {
    const block = this.#blockOf(number)
    const text = this.#page(block)[number - this.#index[block]!]
    if (text === undefined) throw new DamagedMap(`there is no text ${number}`)
    return text
  }

  /** Returns the texts from one number to before another. @throws DamagedMap */
  range(from: number, to: number): string[] {
    const texts: string[] = []
    while (from + texts.length < to) {
      const next = from + texts.length
      const block = this.#blockOf(next)
      const start = next - this.#index[block]!
      const some = this.#page(block).slice(start, start + to - next)
      if (some.length === 0) throw new DamagedMap(`there is no text ${next}`)
      texts.push(...some)
    }
    return texts
  }

  #blockOf(number: number): number {
    let low = 0
    let high = this.#index.length / INDEX_WORDS
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#index[middle * INDEX_WORDS]! <= number) low = middle + 1
      else high = middle
    }
    if (low === 0) throw new DamagedMap(`there is no text ${number}`)
    return (low - 1) * INDEX_WORDS
  }

  #page(block: number): readonly string[] {
    const { pages, reader } = this.#file
    const offset = this.#index[block + 1]!
    const key = pageKey(this.#file, offset)
    const known = pages.get(key)
    if (known !== undefined) return known as readonly string[]
    const compressed = reader.read([offset, this.#index[block + 2]!, this.#index[block + 3]!])
    const text = zstdDecompressSync(compressed, { maxOutputLength: BLOCK_BYTES_MAX }).toString()
    const page = text.split('\n')
    pages.set(key, page, 2 * text.length + TEXT_BYTES * page.length)
    return page
  }
}
