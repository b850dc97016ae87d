import { comparePlaces, type BlockPlace, type LaneState, type LogPosition } from './cursor.ts'
import type { DecodedBlock, FoundDelivery } from './decoded-blocks.ts'
import { laneOf } from './lane.ts'

/** Used up entries at the front of a list, before the list is cut: cutting moves all the others. */
const usedMin = 1024

/** What waits of one lane, and the blocks that hold it. */
export class WaitingLane {
  readonly number: number
  /** It knows its blocks before this place; further ones come from there on. */
  covered: BlockPlace
  /** Blocks that hold something of it, in order; the first ones are used up. */
  #known: BlockPlace[] = []
  #used = 0
  /** Of its next delivery, or before that in the same block. */
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

  /** Its first block; null when it knows none. */
  get next(): BlockPlace | null {
    return this.#known[this.#used] ?? null
  }

  get isOver(): boolean {
    return this.next === null && this.#waiting <= 0
  }

  /** True when a scan from one place to another tells of blocks that it does not know, and skips none. */
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

  /** Leaves its first block behind. */
  skip(): void {
    this.#used += 1
    if (this.#used >= usedMin && this.#used * 2 > this.#known.length) {
      this.#known = this.#known.slice(this.#used)
      this.#used = 0
    }
    this.#moveTo(this.next ?? this.covered)
  }

  /** Takes its deliveries from its first block: at least one where there is one. */
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
