/**
 * The reading side of the embedded queue: hands deliveries out under a lease, the oldest of each project
 * first, and the projects in turn (`lanes.ts`).
 *
 * A delivery whose lease ran out, or that was in hand when the process died, is a suspect. Suspects
 * come again before anything new, one at a time and alone, with their attempts counted.
 */
import { mkdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'
import type { Lease, QueueDamage, QueueReader, QueueStats } from '../port.ts'
import { Backlog } from './backlog.ts'
import {
  comparePositions,
  CursorFile,
  loadCursor,
  positionId,
  startOf,
  type CursorState,
  type OpenDelivery,
  type SavedCursor,
  type TakenState,
} from './cursor.ts'
import { readDelivery, type FoundDelivery } from './decoded-blocks.ts'
import { Lanes } from './lanes.ts'
import { defaultLogQueueLimits, type LogQueueLimits } from './limits.ts'
import { listSegments, segmentPath, unreadableBytes } from './segment.ts'
import { countSetAside, setSegmentAside, writeSetAside } from './set-aside.ts'
import { Wake } from './wake.ts'

/**
 * Opens the reading side: `take`, `done`, `setAside`, `stats`, `close`. One per folder; the writing
 * side may be in another process. `onDamage` is called with segments that were not fully readable.
 * @throws STORAGE_FAILED
 */
export async function openLogQueueReader(
  folder: string,
  limits: Partial<LogQueueLimits> = {},
  onDamage: (damage: QueueDamage) => void = () => {},
): Promise<QueueReader> {
  const logFolder = join(folder, 'log')
  try {
    await mkdir(logFolder, { recursive: true })
    const cursor = await loadCursor(folder)
    const first = (await listSegments(logFolder))[0] ?? 1
    const start = { ...startOf(cursor, first), saves: cursor?.saves ?? 0 }
    return new Reader(folder, { ...defaultLogQueueLimits, ...limits }, start, onDamage)
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `The queue in ${folder} cannot be opened.`, { cause })
  }
}

interface LeasedDelivery extends OpenDelivery {
  /** By the monotonic clock. */
  readonly expiresAt: number
  readonly isSuspect: boolean
}

interface FoundAttempt extends FoundDelivery {
  readonly attempts: number
  readonly isSuspect: boolean
}

class Reader implements QueueReader {
  readonly #folder: string
  readonly #logFolder: string
  readonly #limits: LogQueueLimits
  readonly #onDamage: (damage: QueueDamage) => void
  #lanes: Lanes
  /** Cursor as of the last take that handed out: never past a delivery that is not leased yet. */
  #taken: TakenState
  readonly #cursor: CursorFile
  readonly #backlog: Backlog
  readonly #wake: Wake
  readonly #leased = new Map<string, LeasedDelivery>()
  /** In order of the log, once a take has looked at them. */
  #suspects: OpenDelivery[]
  #turn: Promise<unknown> = Promise.resolve()
  #oldestSegment: number
  #isClosed = false

  constructor(
    folder: string,
    limits: LogQueueLimits,
    start: SavedCursor,
    onDamage: (damage: QueueDamage) => void,
  ) {
    this.#onDamage = onDamage
    this.#folder = folder
    this.#logFolder = join(folder, 'log')
    this.#limits = limits
    this.#lanes = new Lanes(this.#logFolder, start, limits)
    this.#taken = this.#lanes.state
    this.#suspects = start.open.map((one) => ({ ...one, attempts: one.attempts + 1 }))
    this.#cursor = new CursorFile(folder, () => this.#state(), {
      saves: start.saves,
      syncMs: limits.cursorSyncMs,
    })
    this.#backlog = new Backlog(this.#logFolder)
    this.#wake = new Wake(this.#logFolder, limits.pollMs)
    this.#oldestSegment = 0
  }

  async take(max: number, leaseMs: number, signal?: AbortSignal): Promise<readonly Lease[]> {
    const isOver = (): boolean => this.#isClosed || signal?.aborted === true
    while (!isOver()) {
      const seen = this.#wake.changes
      const leases = await this.#inTurn(() => this.#tryTake(max, leaseMs))
      if (leases.length > 0) return leases
      await this.#wake.wait(seen, this.#nextExpiryMs(), signal)
    }
    return []
  }

  async done(leases: readonly Lease[]): Promise<void> {
    await this.#forget(new Set(leases.map((lease) => lease.id)))
  }

  async setAside(lease: Lease, reason: string): Promise<void> {
    if (!this.#leased.has(lease.id) && !this.#suspects.some((one) => positionId(one) === lease.id))
      return
    await inStorage('set a delivery aside', () =>
      writeSetAside(join(this.#folder, 'set-aside'), lease, reason, this.#limits),
    )
    await this.#forget(new Set([lease.id]))
  }

  async stats(): Promise<QueueStats> {
    const measured = await inStorage('be measured', () => this.#backlog.measure(this.#state()))
    return { ...measured, setAside: await countSetAside(join(this.#folder, 'set-aside')) }
  }

  /** Gives leased deliveries back without counting an attempt: leaving is not failing. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#wake.close()
    await this.#inTurn(async () => {
      await this.#cursor.save()
      await this.#lanes.close()
    })
  }

  async #tryTake(max: number, leaseMs: number): Promise<readonly Lease[]> {
    if (this.#isClosed) return []
    this.#expire()
    // A suspect is processed alone, so that its failure harms no other delivery.
    if ([...this.#leased.values()].some((one) => one.isSuspect)) return []
    if (this.#suspects.length > 0) {
      if (this.#leased.size > 0) return []
      const suspect = await inStorage('be read', () => this.#readSuspect())
      if (suspect !== null) return this.#lease([suspect], leaseMs)
    }
    const found = await inStorage('be read', () => this.#readFresh(max))
    if (found.length === 0) return []
    return this.#lease(found, leaseMs)
  }

  /** Saved before they are handed out, so that a death with them in hand is known afterwards. */
  async #lease(found: readonly FoundAttempt[], leaseMs: number): Promise<readonly Lease[]> {
    const before = this.#taken
    const expiresAt = performance.now() + leaseMs
    const leases = found.map(({ delivery, attempts, isSuspect, segment, offset, index, bytes }) => {
      const { receivedAt } = delivery
      const id = positionId({ segment, offset, index })
      const leased = { segment, offset, index, attempts, bytes, receivedAt, expiresAt, isSuspect }
      this.#leased.set(id, leased)
      return { id, attempts, delivery }
    })
    this.#taken = this.#lanes.state
    try {
      await inStorage('be written', () => this.#cursor.save())
    } catch (cause) {
      await this.#takeBack(found, before)
      throw cause
    }
    return leases
  }

  /**
   * Deliveries whose handing out could not be saved were not handed out: they come at the next
   * take.
   */
  async #takeBack(found: readonly FoundAttempt[], before: TakenState): Promise<void> {
    for (const one of found) {
      const id = positionId(one)
      const open = this.#leased.get(id)
      this.#leased.delete(id)
      if (one.isSuspect && open !== undefined) this.#suspects.unshift(open)
    }
    this.#taken = before
    await this.#readOnAfterTaken()
  }

  async #readOnAfterTaken(): Promise<void> {
    await this.#lanes.close()
    this.#lanes = new Lanes(this.#logFolder, this.#taken, this.#limits)
  }

  async #readFresh(max: number): Promise<readonly FoundAttempt[]> {
    const room = Math.min(max, this.#limits.leasesMax - this.#leased.size)
    try {
      const found = await this.#lanes.take(room)
      return found.map((one) => ({ ...one, attempts: 1, isSuspect: false }))
    } catch (cause) {
      await this.#readOnAfterTaken()
      throw cause
    }
  }

  async #readSuspect(): Promise<FoundAttempt | null> {
    for (;;) {
      const suspect = this.#suspects[0]
      if (suspect === undefined) return null
      const found = await readDelivery(this.#logFolder, suspect)
      // It may have become done during the read.
      if (this.#suspects[0] !== suspect) continue
      this.#suspects.shift()
      if (found !== null) return { ...found, attempts: suspect.attempts, isSuspect: true }
    }
  }

  #expire(): void {
    const now = performance.now()
    for (const [id, { expiresAt, isSuspect: _, ...one }] of this.#leased) {
      if (expiresAt > now) continue
      this.#leased.delete(id)
      this.#suspects.push({ ...one, attempts: one.attempts + 1 })
    }
    this.#suspects.sort(comparePositions)
  }

  #nextExpiryMs(): number {
    let soonest = Number.POSITIVE_INFINITY
    for (const { expiresAt } of this.#leased.values()) soonest = Math.min(soonest, expiresAt)
    return soonest - performance.now()
  }

  async #forget(ids: ReadonlySet<string>): Promise<void> {
    let isChanged = false
    for (const id of ids) isChanged = this.#leased.delete(id) || isChanged
    const suspects = this.#suspects.filter((one) => !ids.has(positionId(one)))
    isChanged ||= suspects.length < this.#suspects.length
    if (!isChanged) return
    this.#suspects = suspects
    await inStorage('be written', async () => {
      await this.#cursor.save()
      await this.#unlinkConsumed()
    })
    this.#wake.notify()
  }

  /** Removes the segments before the oldest delivery that is not done. */
  async #unlinkConsumed(): Promise<void> {
    const { front, lanes } = this.#taken
    let oldest = front.segment
    for (const wait of [lanes, this.#leased.values(), this.#suspects]) {
      for (const { segment } of wait) oldest = Math.min(oldest, segment)
    }
    if (oldest <= this.#oldestSegment) return
    this.#oldestSegment = oldest
    for (const number of await listSegments(this.#logFolder)) {
      if (number < oldest) await this.#unlink(number)
    }
  }

  /** Keeps bytes that could not be read: they were accepted, and an operator may recover some. */
  async #unlink(number: number): Promise<void> {
    const path = segmentPath(this.#logFolder, number)
    const bytes = await unreadableBytes(path)
    if (bytes === 0) return unlink(path)
    const folder = join(this.#folder, 'set-aside')
    const kept = await setSegmentAside(folder, path, number, this.#limits)
    this.#onDamage({ path: kept, bytes })
  }

  /** A closed reader has nothing in hand: its deliveries keep their earlier attempts. */
  #state(): CursorState {
    const leased = [...this.#leased.values()]
    const inHand = this.#isClosed ? leased.map(beforeAttempt) : leased
    return { ...this.#taken, open: [...inHand, ...this.#suspects.map(beforeAttempt)] }
  }

  /** One look at the log at a time: the lanes, the suspects and the cursor change together. */
  #inTurn<T>(body: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(body)
    this.#turn = result.catch(() => {})
    return result
  }
}

function beforeAttempt(one: OpenDelivery): OpenDelivery {
  return { ...one, attempts: one.attempts - 1 }
}

async function inStorage<T>(what: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `The queue could not ${what}.`, { cause })
  }
}
