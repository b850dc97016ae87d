/**
 * Where published records wait for the disk: memory that both threads see, so that handing it over
 * copies nothing, and that is used again, so that nobody has to collect it.
 */
import type { Delivery } from '../port.ts'
import { recordOverheadMax, writeRecord } from './record.ts'

export interface Waiting {
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/** A piece of that memory, and who waits for what is in it. */
export class Stage {
  readonly #memory: Buffer
  #used = 0
  #payloadBytes = 0
  #waiting: Waiting[] = []

  constructor(size: number) {
    this.#memory = Buffer.from(new SharedArrayBuffer(size))
  }

  get size(): number {
    return this.#memory.length
  }

  get count(): number {
    return this.#waiting.length
  }

  /** What was written so far. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#used)
  }

  /** Of the envelopes alone. */
  get payloadBytes(): number {
    return this.#payloadBytes
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting
  }

  hasRoomFor(delivery: Delivery): boolean {
    return this.#used + recordBytesMax(delivery) <= this.#memory.length
  }

  add(delivery: Delivery, waiting: Waiting): void {
    this.#used = writeRecord(delivery, this.#memory, this.#used)
    this.#payloadBytes += delivery.bytes.byteLength
    this.#waiting.push(waiting)
  }

  clear(): void {
    this.#used = 0
    this.#payloadBytes = 0
    this.#waiting = []
  }
}

/** Hands stages out and takes them back; a delivery larger than one gets a stage of its own. */
export class Stages {
  readonly #size: number
  readonly #keptMax: number
  readonly #free: Stage[] = []

  constructor(size: number, keptMax: number) {
    this.#size = size
    this.#keptMax = keptMax
  }

  /** An empty one with room for this delivery. */
  take(delivery: Delivery): Stage {
    const needed = recordBytesMax(delivery)
    if (needed > this.#size) return new Stage(needed)
    return this.#free.pop() ?? new Stage(this.#size)
  }

  giveBack(stage: Stage): void {
    stage.clear()
    if (stage.size === this.#size && this.#free.length < this.#keptMax) this.#free.push(stage)
  }
}

function recordBytesMax(delivery: Delivery): number {
  return recordOverheadMax + delivery.bytes.byteLength
}
