/**
 * Takes deliveries from the log by turns of their lanes, so that the backlog of one project does
 * not delay another. A scan of new blocks, which decompresses none, tells each lane the places of
 * its deliveries. In a backlog of more blocks than a reader may know, a lane that has used its own
 * searches for the next.
 */
import { fairTurnMax } from '../port.ts'
import { BlockScan, type ScannedBlock } from './block-scan.ts'
import { comparePlaces, type BlockPlace, type TakenState } from './cursor.ts'
import { DecodedBlocks, type DecodedBlock, type FoundDelivery } from './decoded-blocks.ts'
import type { LogQueueLimits } from './limits.ts'
import { WaitingLane } from './waiting-lane.ts'

/** One reader's place in a log, by lane. Calls must not overlap; one that throws leaves it unusable. */
export class Lanes {
  readonly #folder: string
  readonly #limits: LogQueueLimits
  /** Place before which everything is taken, or in a waiting lane. */
  readonly #front: BlockScan
  /**
   * Deliveries that waited at the start are scanned again, because a cursor does not name their
   * blocks.
   */
  #again: BlockScan | null
  readonly #blocks: DecodedBlocks
  /** Lanes with waiting deliveries, in the order of their turns. */
  readonly #waiting = new Map<number, WaitingLane>()

  constructor(folder: string, state: TakenState, limits: LogQueueLimits) {
    this.#folder = folder
    this.#limits = limits
    const { front, recordsBefore, lanes } = state
    this.#front = new BlockScan(folder, { from: front, until: null, recordsBefore })
    this.#blocks = new DecodedBlocks(folder, limits)
    for (const lane of lanes) this.#waiting.set(lane.number, new WaitingLane(lane))
    const [first] = lanes.toSorted(comparePlaces)
    this.#again = first === undefined ? null : this.#scanBefore(placeOf(first))
  }

  /** Returns the deliveries taken so far, for the cursor. */
  get state(): TakenState {
    const { place: front, recordsBefore } = this.#front
    return { front, recordsBefore, lanes: [...this.#waiting.values()].map((lane) => lane.state) }
  }

  /** Takes the next deliveries, at most `max`; none when nothing waits. */
  async take(max: number): Promise<readonly FoundDelivery[]> {
    await this.#readAhead()
    const taken: FoundDelivery[] = []
    const held = new Set<DecodedBlock>()
    let bytes = 0
    while (taken.length < max && bytes < this.#limits.takeBytesMax) {
      const [lane] = this.#waiting.values()
      if (lane === undefined) break
      const block = await this.#firstBlock(lane)
      if (block !== null) {
        const { turnBytesMax } = this.#limits
        taken.push(...lane.takeFrom(block, Math.min(max - taken.length, fairTurnMax), turnBytesMax))
        if (!held.has(block)) bytes += block.plainBytes
        held.add(block)
      }
      await this.#lookFurther(lane)
      this.#waiting.delete(lane.number)
      if (lane.next !== null) this.#waiting.set(lane.number, lane)
    }
    await this.#release()
    return taken
  }

  async close(): Promise<void> {
    await this.#front.close()
    await this.#again?.close()
    await this.#blocks.clear()
  }

  /** Scans new blocks: up to the end of the log, or as many as a take may wait for. */
  async #readAhead(): Promise<void> {
    const { scanBytesMax } = this.#limits
    const isEnough = (bytes: number): boolean => bytes >= scanBytesMax
    await this.#scan(this.#front, (block) => this.#countByLane(block), isEnough)
    if (this.#again === null) return
    const isAtEnd = await this.#scan(this.#again, (block) => this.#lanesIn(block), isEnough)
    if (!isAtEnd) return
    await this.#again.close()
    this.#again = null
  }

  /** Returns the block from which a lane takes; null when it has none, or the block is broken. */
  async #firstBlock(lane: WaitingLane): Promise<DecodedBlock | null> {
    await this.#lookFurther(lane)
    if (lane.next === null) return null
    const block = await this.#blocks.at(lane.next)
    if (block === null) lane.skip()
    return block
  }

  /** Finds the next blocks of a waiting lane that knows none; other lanes learn theirs too. */
  async #lookFurther(lane: WaitingLane): Promise<void> {
    if (lane.next !== null || lane.isOver) return
    const { laneBlocksMin, scanBytesMax } = this.#limits
    const scan = this.#scanBefore(lane.covered)
    try {
      await this.#scan(
        scan,
        (block) => this.#lanesIn(block),
        (bytes) =>
          lane.knownBlocks >= laneBlocksMin || (lane.knownBlocks > 0 && bytes >= scanBytesMax),
      )
    } finally {
      await scan.close()
    }
  }

  #scanBefore(from: BlockPlace): BlockScan {
    return new BlockScan(this.#folder, { from, until: this.#front.place, recordsBefore: 0 })
  }

  /**
   * Tells lanes their blocks, in the order of the log, until enough bytes are scanned. Returns true
   * when there are no more blocks. A lane that is full, or learns from another place, is left out.
   */
  async #scan(
    scan: BlockScan,
    lanesIn: (block: ScannedBlock) => Iterable<WaitingLane>,
    isEnough: (bytes: number) => boolean,
  ): Promise<boolean> {
    const { blocksKnownMax, laneBlocksMin } = this.#limits
    const from = scan.place
    const full = new Set<WaitingLane>()
    let known = 0
    for (const lane of this.#waiting.values()) known += lane.knownBlocks
    let bytes = 0
    let isAtEnd = false
    while (!isAtEnd && !isEnough(bytes)) {
      const block = await scan.next()
      isAtEnd = block === null
      if (block === null) continue
      bytes += block.bytes
      const place = placeOf(block)
      for (const lane of lanesIn(block)) {
        if (full.has(lane) || !lane.learnsBetween(from, place)) continue
        if (known >= blocksKnownMax && lane.knownBlocks >= laneBlocksMin) {
          lane.covered = place
          full.add(lane)
        } else {
          lane.learn(place)
          known += 1
        }
      }
    }
    for (const lane of this.#waiting.values()) {
      if (!full.has(lane) && lane.learnsBetween(from, scan.place)) lane.covered = scan.place
    }
    return isAtEnd
  }

  /** Returns the lanes of a new block. */
  #countByLane(block: ScannedBlock): WaitingLane[] {
    return [...block.lanes].map(([number, waiting]) => {
      const bytes = (waiting / block.count) * block.bytes
      const known = this.#waiting.get(number)
      known?.count(waiting, bytes)
      const lane = known ?? new WaitingLane({ number, ...placeOf(block), index: 0, waiting, bytes })
      this.#waiting.set(number, lane)
      return lane
    })
  }

  #lanesIn(block: ScannedBlock): WaitingLane[] {
    const lanes = [...block.lanes.keys()].map((number) => this.#waiting.get(number))
    return lanes.filter((lane) => lane !== undefined)
  }

  /** Releases memory that the next take does not need. */
  async #release(): Promise<void> {
    if (this.#waiting.size === 0) return this.#blocks.clear()
    let oldest = this.#front.place.segment
    for (const { state } of this.#waiting.values()) oldest = Math.min(oldest, state.segment)
    await this.#blocks.closeBefore(oldest)
  }
}

function placeOf({ segment, offset }: BlockPlace): BlockPlace {
  return { segment, offset }
}
