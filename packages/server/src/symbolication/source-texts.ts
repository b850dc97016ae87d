import { lineCharsMax } from './limits.ts'
import type { MapSource } from './source-map.ts'

/** The lines of the sources that a map brings, each split once. */
export class SourceTexts {
  readonly #sources: readonly MapSource[]
  readonly #lines = new Map<number, readonly string[]>()

  constructor(sources: readonly MapSource[]) {
    this.#sources = sources
  }

  /** Returns the lines of a source; null when the map does not bring its text. */
  lines(source: number): readonly string[] | null {
    const known = this.#lines.get(source)
    if (known !== undefined) return known
    const content = this.#sources[source]?.content ?? null
    if (content === null) return null
    const lines = splitLines(content).map((line) => line.slice(0, lineCharsMax))
    this.#lines.set(source, lines)
    return lines
  }
}

/** Splits a text where JavaScript has a line end, as the lines of maps count. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/)
}
