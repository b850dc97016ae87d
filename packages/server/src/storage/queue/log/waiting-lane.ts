import { comparePlaces, type BlockPlace, type LaneState, type LogPosition } from './cursor.ts'
import type { DecodedBlock, FoundDelivery } from './decoded-blocks.ts'
import { laneOf } from './lane.ts'

/** The waiting deliveries of one lane, and the blocks that hold them. */
export class WaitingLane {
  readonly number: number
  /** Place up to which its blocks are known; further ones come after it. */
  covered: BlockPlace
  /** Blocks with deliveries of it, in order; the first ones are used. */
  #known: BlockPlace[] = []
  #used = 0
  /** Place of its next delivery, or earlier in the same block. */
  #position: LogPosition
  #waiting: number
  #bytes: number

  /** Makes a lane that knows its place and no block yet. */
  constructor({ number, segment, offset, index, waiting, bytes }: LaneState) {
    this.number = number
    this.covered = { segment, offset }
    this.#position = { segment, offset, index }
    this.#waiting = waiting
    this.#bytes = bytes
  }

  get state(): LaneState {
    const { number } = this
    return { number, ...this.#position, waiting: this.#waiting, bytes: Math.max(0, this.#bytes) }
  }

  get knownBlocks(): number {
    return this.#known.length - this.#used
  }

  /** Returns its first block; null when it knows none. */
  get next(): BlockPlace | null {
    return this.#known[this.#used] ?? null
  }

  /** Tells whether all deliveries that were counted are taken. */
  get isOver(): boolean {
    return this.#waiting <= 0
  }

  /**
   * Tells whether a scan from one place to another finds blocks that it does not know, and skips
   * none.
   */
  learnsBetween(from: BlockPlace, to: BlockPlace): boolean {
    return comparePlaces(from, this.covered) <= 0 && comparePlaces(this.covered, to) <= 0
  }

  learn(block: BlockPlace): void {
    this.#known.push(block)
    if (this.knownBlocks === 1 && comparePlaces(block, this.#position) !== 0) this.#moveTo(block)
  }

  count(deliveries: number, bytes: number): void {
    this.#waiting += deliveries
    this.#bytes += bytes
  }

  /** Drops its first block. */
  skip(): void {
    this.#used += 1
    // Cutting moves all others, so it waits for as many used ones.
    if (this.#used * 2 > this.#known.length) {
      this.#known = this.#known.slice(this.#used)
      this.#used = 0
    }
    this.#moveTo(this.next ?? this.covered)
  }

  /** Takes deliveries from its first block: at least one, if there is one. */
  takeFrom(block: DecodedBlock, max: number, bytesMax: number): FoundDelivery[] {
    const { segment, offset } = this.#position
    const found: FoundDelivery[] = []
    let bytes = 0
    for (let { index } = this.#position; index < block.deliveries.length; index += 1) {
      const delivery = block.deliveries[index]
      if (delivery === undefined || laneOf(delivery.projectId) !== this.number) continue
      if (found.length === max || bytes >= bytesMax) {
        this.#position = { segment, offset, index }
        return found
      }
      found.push({ segment, offset, index, delivery, bytes: block.shareBytes })
      bytes += delivery.bytes.byteLength
      this.count(-1, -block.shareBytes)
    }
    this.skip()
    return found
  }

  #moveTo({ segment, offset }: BlockPlace): void {
    this.#position = { segment, offset, index: 0 }
  }
}
