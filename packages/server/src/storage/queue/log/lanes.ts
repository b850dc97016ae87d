/**
 * Takes deliveries from the log by turns of their lanes, so that the backlog of one project does not hold
 * up another. A scan reads only the heads of new blocks and notes which lanes they hold; a lane with many
 * blocks knows the first ones, and looks for the others later, from the place of the next.
 */
import { fairTurnMax } from '../port.ts'
import { BlockScan } from './block-scan.ts'
import {
  comparePlaces,
  type BlockPlace,
  type LogPosition,
  type TakenState,
  type WaitingLane,
} from './cursor.ts'
import { DecodedBlocks, type DecodedBlock, type FoundDelivery } from './decoded-blocks.ts'
import { laneOf } from './lane.ts'
import type { LogQueueLimits } from './limits.ts'

/** What a lane gave in its turn. */
interface Turn {
  readonly found: readonly FoundDelivery[]
  readonly block: DecodedBlock | null
}

/** One reader's place in a log, by lane. Calls must not overlap; one that throws leaves it unusable. */
export class Lanes {
  readonly #folder: string
  readonly #limits: LogQueueLimits
  /** Everything before it is taken, or in a lane that waits. */
  readonly #front: BlockScan
  readonly #blocks: DecodedBlocks
  /** Lanes of which something waits, in the order of their turns. */
  readonly #waiting = new Map<number, Lane>()

  constructor(folder: string, state: TakenState, limits: LogQueueLimits) {
    this.#folder = folder
    this.#limits = limits
    const { front, recordsBefore } = state
    this.#front = new BlockScan(folder, { from: front, until: null, recordsBefore })
    this.#blocks = new DecodedBlocks(folder, limits)
    for (const lane of state.lanes) {
      this.#waiting.set(lane.number, Lane.restore(lane, limits.laneBlocksMax))
    }
  }

  /** What was taken until now, for the cursor. */
  get state(): TakenState {
    const { place: front, recordsBefore } = this.#front
    return { front, recordsBefore, lanes: [...this.#waiting.values()].map((lane) => lane.state) }
  }

  /** Takes the next deliveries, at most `max`; none when nothing waits. */
  async take(max: number): Promise<readonly FoundDelivery[]> {
    await this.#scan()
    const taken: FoundDelivery[] = []
    const held = new Set<DecodedBlock>()
    let bytes = 0
    while (taken.length < max && bytes < this.#limits.takeBytesMax) {
      const [lane] = this.#waiting.values()
      if (lane === undefined) break
      this.#waiting.delete(lane.number)
      const { found, block } = await this.#turn(lane, max - taken.length)
      if (!lane.isOver) this.#waiting.set(lane.number, lane)
      if (block === null) continue
      taken.push(...found)
      if (!held.has(block)) bytes += block.plainBytes
      held.add(block)
    }
    await this.#release()
    return taken
  }

  async close(): Promise<void> {
    await this.#front.close()
    await this.#blocks.clear()
  }

  /** Notes new blocks: up to the end of the log, or as many as may hold up a take. */
  async #scan(): Promise<void> {
    let bytes = 0
    while (this.#waiting.size === 0 || bytes < this.#limits.scanBytesMax) {
      const block = await this.#front.next()
      if (block === null) return
      bytes += block.bytes
      for (const [number, count] of block.lanes) {
        const lane = this.#waiting.get(number) ?? new Lane(number, this.#limits.laneBlocksMax)
        lane.count(count, (count / block.count) * block.bytes)
        lane.note(block)
        this.#waiting.set(number, lane)
      }
    }
  }

  /** Takes from one block of the lane, so that a turn is short whatever the lane holds. */
  async #turn(lane: Lane, max: number): Promise<Turn> {
    if (lane.next === null) await this.#lookFurther(lane)
    const place = lane.next
    if (place === null) return { found: [], block: null }
    const block = await this.#blocks.at(place)
    if (block === null) {
      lane.skip()
      return { found: [], block: null }
    }
    const { turnBytesMax } = this.#limits
    return { found: lane.takeFrom(block, Math.min(max, fairTurnMax), turnBytesMax), block }
  }

  async #lookFurther(lane: Lane): Promise<void> {
    const from = lane.lookFurther()
    const until = this.#front.place
    const scan = new BlockScan(this.#folder, { from, until, recordsBefore: 0 })
    try {
      while (lane.knowsAll) {
        const block = await scan.next()
        if (block === null) return
        if (block.lanes.has(lane.number)) lane.note(block)
      }
    } finally {
      await scan.close()
    }
  }

  /** Gives back what the next take has no use for. */
  async #release(): Promise<void> {
    if (this.#waiting.size === 0) return this.#blocks.clear()
    let oldest = this.#front.place.segment
    for (const { position } of this.#waiting.values()) oldest = Math.min(oldest, position.segment)
    await this.#blocks.closeBefore(oldest)
  }
}

/** The blocks that hold what waits of one lane. */
class Lane {
  readonly number: number
  readonly #knownMax: number
  /** Its first blocks, as many as it may know. */
  readonly #known: BlockPlace[] = []
  /** Its first block that it does not know; null when it knows all. */
  #beyond: BlockPlace | null = null
  /** Of its next delivery, or before that in the same block. */
  #position: LogPosition = { segment: 0, offset: 0, index: 0 }
  #waiting = 0
  #bytes = 0

  constructor(number: number, knownMax: number) {
    this.number = number
    this.#knownMax = knownMax
  }

  /** Makes a lane that knows no block yet, only where it went on. */
  static restore(state: WaitingLane, knownMax: number): Lane {
    const lane = new Lane(state.number, knownMax)
    const { segment, offset, index } = state
    lane.#beyond = { segment, offset }
    lane.#position = { segment, offset, index }
    lane.count(state.waiting, state.bytes)
    return lane
  }

  get isOver(): boolean {
    return this.#known.length === 0 && this.#beyond === null
  }

  get knowsAll(): boolean {
    return this.#beyond === null
  }

  /** Its first block; null when it has to look for more. */
  get next(): BlockPlace | null {
    return this.#known[0] ?? null
  }

  get position(): LogPosition {
    return this.#position
  }

  get state(): WaitingLane {
    const { number } = this
    return { number, ...this.#position, waiting: this.#waiting, bytes: Math.max(0, this.#bytes) }
  }

  count(deliveries: number, bytes: number): void {
    this.#waiting += deliveries
    this.#bytes += bytes
  }

  /** Learns of its next block, in the order of the log. */
  note({ segment, offset }: BlockPlace): void {
    if (this.#beyond !== null) return
    const place = { segment, offset }
    if (this.#known.length === this.#knownMax) {
      this.#beyond = place
      return
    }
    this.#known.push(place)
    if (this.#known.length === 1 && comparePlaces(place, this.#position) !== 0) this.#moveTo(place)
  }

  /** Says where to look for its further blocks; the caller notes each one that is found from there on. */
  lookFurther(): BlockPlace {
    const { segment, offset } = this.#beyond ?? this.#position
    this.#beyond = null
    return { segment, offset }
  }

  /** Leaves its first block behind. */
  skip(): void {
    this.#known.shift()
    const place = this.#known[0] ?? this.#beyond
    if (place !== null) this.#moveTo(place)
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
