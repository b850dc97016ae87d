import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { headerLineBytesMax } from '@afterimage/protocol/limits'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { BodyHold } from './body-budget.ts'
import type { BodyWatch, WatchedBody } from './body-watch.ts'
import type { IngestLimits } from './limits.ts'

/** Why there is no body, when that is no fault of the bytes. */
export interface BodyFailure {
  readonly type: 'aborted' | 'timeout' | 'busy'
}

export interface ReadBodyOptions {
  readonly limits: IngestLimits
  readonly decodedBytesMax: number
  readonly hold: BodyHold
  readonly watch: BodyWatch
  /**
   * Sees the beginning, once: at least the first line, or all there is. Returns a refusal to stop
   * there, so that nobody unknown makes us read what follows.
   */
  readonly inspect?: (beginning: Buffer) => Refusal | null
}

/** Reads and decompresses a body. Both sizes are bounded while it comes. */
export function readBody(
  request: IncomingMessage,
  options: ReadBodyOptions,
): Promise<Buffer | Refusal | BodyFailure> {
  const { limits } = options
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytesMax) {
    return Promise.resolve(tooLarge(limits.bodyBytesMax))
  }
  return new Promise((resolve) => {
    const collector = new Collector(options)
    const decoder = decoderOf(request.headers['content-encoding'])
    let receivedBytes = 0
    const startedAt = Date.now()
    const watched: WatchedBody = {
      startedAt,
      lastBytesAt: startedAt,
      expire: () => finish({ type: 'timeout' }),
    }
    options.watch.add(watched)

    const finish = (result: Buffer | Refusal | BodyFailure): void => {
      options.watch.delete(watched)
      request.off('data', onData).off('end', onEnd).off('close', onClose)
      decoder
        ?.removeAllListeners()
        .on('error', () => {})
        .destroy()
      resolve(result)
    }
    const add = (chunk: Buffer): void => {
      const problem = collector.add(chunk)
      if (problem !== null) finish(problem)
    }
    const onData = (chunk: Buffer): void => {
      watched.lastBytesAt = Date.now()
      receivedBytes += chunk.length
      if (receivedBytes > limits.bodyBytesMax) return finish(tooLarge(limits.bodyBytesMax))
      if (decoder === null) return add(chunk)
      if (!options.hold.take(chunk.length)) return finish({ type: 'busy' })
      if (!decoder.write(chunk)) request.pause()
    }
    const onEnd = (): void => {
      if (decoder === null) finish(collector.end())
      else decoder.end()
    }
    const onClose = (): void => {
      if (!request.complete) finish({ type: 'aborted' })
    }
    decoder
      ?.on('data', add)
      .on('drain', () => request.resume())
      .on('end', () => finish(collector.end()))
      .on('error', (cause) => finish(refuse('invalid_encoding', `body: ${cause.message}`)))
    request.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

/** Gathers the plain bytes, within their limit. */
class Collector {
  readonly #options: ReadBodyOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #isInspected: boolean

  constructor(options: ReadBodyOptions) {
    this.#options = options
    this.#isInspected = options.inspect === undefined
  }

  add(chunk: Buffer): Refusal | BodyFailure | null {
    this.#bytes += chunk.length
    if (this.#bytes > this.#options.decodedBytesMax) return tooLarge(this.#options.decodedBytesMax)
    if (!this.#options.hold.take(chunk.length)) return { type: 'busy' }
    this.#chunks.push(chunk)
    if (this.#isInspected) return null
    return chunk.includes(0x0a) || this.#bytes > headerLineBytesMax ? this.#inspect() : null
  }

  end(): Buffer | Refusal {
    const refusal = this.#isInspected ? null : this.#inspect()
    return refusal ?? this.#joined()
  }

  #inspect(): Refusal | null {
    this.#isInspected = true
    return this.#options.inspect?.(this.#joined()) ?? null
  }

  #joined(): Buffer {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined
    const joined = only ?? Buffer.concat(this.#chunks, this.#bytes)
    this.#chunks = [joined]
    return joined
  }
}

/** Null is identity, which everything unknown counts as: some SDKs send an empty header. */
function decoderOf(encoding: string | undefined): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress()
    default:
      return null
  }
}

function tooLarge(bytesMax: number): Refusal {
  return refuse('too_large', `the request body is larger than ${bytesMax} bytes`)
}
