import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { BodyHold } from './body-budget.ts'
import type { BodyWatch, WatchedBody } from './body-watch.ts'
import { Collector, tooLarge } from './collector.ts'
import { createDecoder } from './content-encoding.ts'
import type { IngestLimits } from './limits.ts'

/** The reason a body is missing when its bytes are not at fault. */
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
   * there, so that nobody unknown makes us read what follows. Nothing more is read while it waits.
   */
  readonly inspect?: (beginning: Buffer) => Refusal | null | Promise<Refusal | null>
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
  const decoder = createDecoder(request.headers['content-encoding'])
  if (isRefusal(decoder)) return Promise.resolve(decoder)
  return new Promise((resolve, reject) => {
    new BodyReading(request, decoder, options, resolve, reject).start()
  })
}

type Result = Buffer | Refusal | BodyFailure

class BodyReading implements WatchedBody {
  readonly startedAt = performance.now()
  lastBytesAt = this.startedAt
  readonly #request: IncomingMessage
  readonly #decoder: Transform | null
  readonly #options: ReadBodyOptions
  readonly #resolve: (result: Result) => void
  readonly #reject: (cause: unknown) => void
  readonly #collector: Collector
  #receivedBytes = 0
  #isFinished = false

  constructor(
    request: IncomingMessage,
    decoder: Transform | null,
    options: ReadBodyOptions,
    resolve: (result: Result) => void,
    reject: (cause: unknown) => void,
  ) {
    this.#request = request
    this.#decoder = decoder
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
    this.#collector = new Collector(options)
  }

  start(): void {
    this.#options.watch.add(this)
    this.#decoder
      ?.on('data', this.#add)
      .on('drain', () => this.#request.resume())
      .on('end', this.#end)
      .on('error', (cause) => this.#finish(refuse('invalid_encoding', `body: ${cause.message}`)))
    this.#request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose)
  }

  expire(): void {
    this.#finish({ type: 'timeout' })
  }

  readonly #onData = (chunk: Buffer): void => {
    const { limits, hold } = this.#options
    this.lastBytesAt = performance.now()
    this.#receivedBytes += chunk.length
    if (this.#receivedBytes > limits.bodyBytesMax)
      return this.#finish(tooLarge(limits.bodyBytesMax))
    if (this.#decoder === null) return this.#add(chunk)
    if (!hold.take(chunk.length)) return this.#finish({ type: 'busy' })
    if (!this.#decoder.write(chunk)) this.#request.pause()
  }

  readonly #onEnd = (): void => {
    if (this.#decoder === null) this.#end()
    else this.#decoder.end()
  }

  readonly #onClose = (): void => {
    if (!this.#request.complete) this.#finish({ type: 'aborted' })
  }

  /** Takes plain bytes. */
  readonly #add = (chunk: Buffer): void => {
    const step = this.#collector.add(chunk, this.#decoder === null ? null : this.#receivedBytes)
    if (step === null) return
    if (step instanceof Promise) this.#wait(step).catch(this.#fail)
    else this.#finish(step)
  }

  readonly #end = (): void => {
    const result = this.#collector.end()
    if (result instanceof Promise) result.then((it) => this.#finish(it), this.#fail)
    else this.#finish(result)
  }

  async #wait(step: Promise<Refusal | BodyFailure | null>): Promise<void> {
    const source = this.#decoder ?? this.#request
    source.pause()
    const problem = await step
    if (this.#isFinished) return
    if (problem === null) source.resume()
    else this.#finish(problem)
  }

  #finish(result: Result): void {
    this.#stop()
    this.#resolve(result)
  }

  readonly #fail = (cause: unknown): void => {
    this.#stop()
    this.#reject(cause)
  }

  #stop(): void {
    this.#isFinished = true
    this.#options.watch.delete(this)
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    this.#decoder
      ?.removeAllListeners()
      .on('error', () => {})
      .destroy()
  }
}
