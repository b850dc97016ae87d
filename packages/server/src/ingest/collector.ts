import { headerLineBytesMax } from '@afterimage/protocol/limits'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import { announcesLargeItem } from './large-items.ts'
import type { BodyFailure, ReadBodyOptions } from './read-body.ts'

type Problem = Refusal | BodyFailure

/** Gathers the plain bytes of a body, within their limits. */
export class Collector {
  readonly #options: ReadBodyOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #isInspected: boolean
  #mayBeLarge = false

  constructor(options: ReadBodyOptions) {
    this.#options = options
    this.#isInspected = options.inspect === undefined
  }

  /**
   * Takes the next bytes. Null means go on; a promise means wait for it before the next bytes.
   * @param receivedBytes what has come of a compressed body; null when it is not compressed
   */
  add(chunk: Buffer, receivedBytes: number | null): Problem | null | Promise<Problem | null> {
    this.#bytes += chunk.length
    const { limits, hold } = this.#options
    if (this.#bytes > this.#options.decodedBytesMax) return tooLarge(this.#options.decodedBytesMax)
    if (receivedBytes !== null && this.#isBomb(receivedBytes)) {
      return refuse(
        'too_large',
        `the body is more than ${limits.ratioMax} times as large as what was sent of it`,
      )
    }
    if (!hold.take(chunk.length)) return { type: 'busy' }
    if (this.#bytes > limits.largeBodyBytes && !hold.becomeLarge()) return { type: 'busy' }
    this.#chunks.push(chunk)
    if (this.#bytes > limits.plainBytesMax && !this.#mayBeLarge) {
      const beginning = this.#joined()
      if (!Buffer.isBuffer(beginning)) return beginning
      this.#mayBeLarge = announcesLargeItem(beginning)
      if (!this.#mayBeLarge) return tooLarge(limits.plainBytesMax)
    }
    if (this.#isInspected) return null
    return chunk.includes(0x0a) || this.#bytes > headerLineBytesMax ? this.#inspect() : null
  }

  /** All bytes, once the last has come. */
  end(): Buffer | Problem | Promise<Buffer | Problem> {
    const problem = this.#isInspected ? null : this.#inspect()
    if (problem === null) return this.#joined()
    return problem instanceof Promise ? problem.then((it) => it ?? this.#joined()) : problem
  }

  #isBomb(receivedBytes: number): boolean {
    const { ratioFreeBytes, ratioMax } = this.#options.limits
    return this.#bytes > ratioFreeBytes && this.#bytes > receivedBytes * ratioMax
  }

  #inspect(): Problem | null | Promise<Problem | null> {
    this.#isInspected = true
    const beginning = this.#joined()
    if (!Buffer.isBuffer(beginning)) return beginning
    return this.#options.inspect?.(beginning) ?? null
  }

  /** While bytes are joined they are there twice, which counts. */
  #joined(): Buffer | BodyFailure {
    const [only] = this.#chunks
    if (this.#chunks.length === 1 && only !== undefined) return only
    if (!this.#options.hold.take(this.#bytes)) return { type: 'busy' }
    const joined = Buffer.concat(this.#chunks, this.#bytes)
    this.#options.hold.giveBack(this.#bytes)
    this.#chunks = [joined]
    return joined
  }
}

export function tooLarge(bytesMax: number): Refusal {
  return refuse('too_large', `the request body is larger than ${bytesMax} bytes`)
}
