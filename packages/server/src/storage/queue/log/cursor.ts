/**
 * The reader's knowledge, replaced whole at every change. Before `front` every delivery is handed
 * out, or in a waiting lane. `lanes` are those lanes, each with the place from which its deliveries
 * wait. `open` are deliveries handed out and not done. All others before the front are done. A
 * reader that finds open ones died with them in hand.
 *
 * `cursor.json` is renamed into place but not synced: it survives the death of the process. After a
 * power cut it may be old or damaged. `cursor.synced.json`, written from time to time, is then the
 * newer readable one; deliveries done since come again, which every consumer must bear anyway.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentHeaderBytes } from './segment.ts'
import { syncFile, syncFolder } from '../../sync.ts'

const unsyncedName = 'cursor.json'
const syncedName = 'cursor.synced.json'

/** The beginning of a block. */
export interface BlockPlace {
  readonly segment: number
  readonly offset: number
}

/** The place of one delivery. */
export interface LogPosition extends BlockPlace {
  /** Its index among the deliveries of the block. */
  readonly index: number
}

export interface OpenDelivery extends LogPosition {
  readonly attempts: number
  /** Its share of the block's bytes on disk. */
  readonly bytes: number
  readonly receivedAt: number
}

/** A lane with waiting deliveries before the front, from a position on. */
export interface LaneState extends LogPosition {
  readonly number: number
  /** Number of its waiting deliveries. */
  readonly waiting: number
  /** Their share of the bytes on disk. */
  readonly bytes: number
}

/** The deliveries ever handed out. */
export interface TakenState {
  readonly front: BlockPlace
  /** Records before the front, in all segments so far. */
  readonly recordsBefore: number
  /** In the order of their next turns. */
  readonly lanes: readonly LaneState[]
}

export interface CursorState extends TakenState {
  readonly open: readonly OpenDelivery[]
}

/** A cursor as it was saved. */
export interface SavedCursor extends CursorState {
  /** Number of saves, by all readers so far. */
  readonly saves: number
}

export function positionId(position: LogPosition): string {
  return `${position.segment}-${position.offset}-${position.index}`
}

export function comparePlaces(a: BlockPlace, b: BlockPlace): number {
  return a.segment - b.segment || a.offset - b.offset
}

export function comparePositions(a: LogPosition, b: LogPosition): number {
  return comparePlaces(a, b) || a.index - b.index
}

/**
 * Returns the place at which a reader begins, from its cursor and its first segment: an old cursor
 * may name segments consumed since.
 */
export function startOf(cursor: CursorState | null, firstSegment: number): CursorState {
  const first = { segment: firstSegment, offset: segmentHeaderBytes }
  if (cursor === null || cursor.front.segment < firstSegment) {
    return { front: first, recordsBefore: 0, lanes: [], open: [] }
  }
  const lanes = cursor.lanes.map((lane) =>
    lane.segment < firstSegment ? { ...lane, ...first, index: 0 } : lane,
  )
  return { ...cursor, lanes }
}

/** Reads the cursor. Null without a readable cursor: the log is then read from its start. */
export async function loadCursor(folder: string): Promise<SavedCursor | null> {
  const [unsynced, synced] = await Promise.all([
    loadFile(join(folder, unsyncedName)),
    loadFile(join(folder, syncedName)),
  ])
  if (unsynced === null || synced === null) return unsynced ?? synced
  return unsynced.saves > synced.saves ? unsynced : synced
}

async function loadFile(path: string): Promise<SavedCursor | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
  try {
    return decodeCursor(text)
  } catch {
    return null
  }
}

/** @throws when the text is not a cursor */
function decodeCursor(text: string): SavedCursor {
  const { front, lanes, open } = JSON.parse(text) as Readonly<Record<string, unknown>>
  const [segment = 0, offset = 0, recordsBefore = 0, saves = 0] = decodeNumbers(front, 4)
  return {
    saves,
    front: { segment, offset },
    recordsBefore,
    lanes: decodeRows(lanes).map(decodeLane),
    open: decodeRows(open).map(decodeOpen),
  }
}

function decodeLane(row: readonly number[]): LaneState {
  const [segment = 0, offset = 0, index = 0, number = 0, waiting = 0, bytes = 0] = row
  return { segment, offset, index, number, waiting, bytes }
}

function decodeOpen(row: readonly number[]): OpenDelivery {
  const [segment = 0, offset = 0, index = 0, attempts = 0, bytes = 0, receivedAt = 0] = row
  return { segment, offset, index, attempts, bytes, receivedAt }
}

function decodeRows(value: unknown): number[][] {
  return (value as unknown[]).map((row) => decodeNumbers(row, 6))
}

function decodeNumbers(value: unknown, count: number): number[] {
  if (Array.isArray(value) && value.length === count && value.every(Number.isFinite)) return value
  throw new TypeError(`${count} numbers were expected`)
}

export interface CursorFileSettings {
  /** Number of earlier saves. */
  readonly saves: number
  /** Interval at which a save is synced. */
  readonly syncMs: number
}

/** Writes the cursor, one write at a time; changes made during a write share the next one. */
export class CursorFile {
  readonly #folder: string
  readonly #state: () => CursorState
  readonly #syncMs: number
  #saves: number
  /** By the monotonic clock. */
  #syncedAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(folder: string, state: () => CursorState, { saves, syncMs }: CursorFileSettings) {
    this.#folder = folder
    this.#state = state
    this.#saves = saves
    this.#syncMs = syncMs
  }

  /** Resolves when the current state, or a later one, is in the file. */
  save(): Promise<void> {
    if (this.#writing === null) return this.#start()
    this.#next ??= this.#writing.then(
      () => this.#start(),
      () => this.#start(),
    )
    return this.#next
  }

  #start(): Promise<void> {
    this.#next = null
    this.#writing = this.#write().finally(() => {
      if (this.#next === null) this.#writing = null
    })
    return this.#writing
  }

  async #write(): Promise<void> {
    this.#saves += 1
    const text = encodeCursor({ ...this.#state(), saves: this.#saves })
    const now = performance.now()
    const isSynced = now - this.#syncedAt >= this.#syncMs
    const path = join(this.#folder, isSynced ? syncedName : unsyncedName)
    await writeFile(`${path}.new`, text)
    if (isSynced) await syncFile(`${path}.new`)
    await rename(`${path}.new`, path)
    if (!isSynced) return
    await syncFolder(this.#folder)
    this.#syncedAt = now
  }
}

function encodeCursor({ saves, front, recordsBefore, lanes, open }: SavedCursor): string {
  return JSON.stringify({
    front: [front.segment, front.offset, recordsBefore, saves],
    lanes: lanes.map((one) => [
      one.segment,
      one.offset,
      one.index,
      one.number,
      one.waiting,
      one.bytes,
    ]),
    open: open.map((one) => [
      one.segment,
      one.offset,
      one.index,
      one.attempts,
      one.bytes,
      one.receivedAt,
    ]),
  })
}
