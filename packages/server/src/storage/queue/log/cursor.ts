/**
 * What the reader knows, kept in `cursor.json` and replaced whole at every change: `head`, the place
 * of the first delivery never handed out, and `open`, those handed out and not done. Everything
 * before the head that is not open is done. A reader that finds open ones knows that it died with
 * them in hand.
 *
 * The file is renamed into place but not synced: it survives the death of the process. After a power
 * cut it may be old or gone, and then deliveries come again, which every consumer has to bear anyway.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The place of one delivery. */
export interface LogPosition {
  readonly segment: number
  /** Where its block begins. */
  readonly offset: number
  /** Its place among the deliveries of the block. */
  readonly index: number
}

export interface OpenDelivery extends LogPosition {
  readonly attempts: number
  /** Its share of the block's bytes on disk. */
  readonly bytes: number
  readonly receivedAt: number
}

export interface CursorState {
  readonly head: LogPosition
  /** Records before the head, over all segments ever. */
  readonly recordsBefore: number
  readonly open: readonly OpenDelivery[]
}

export function positionId(position: LogPosition): string {
  return `${position.segment}-${position.offset}-${position.index}`
}

export function comparePositions(a: LogPosition, b: LogPosition): number {
  return a.segment - b.segment || a.offset - b.offset || a.index - b.index
}

/** Reads the cursor. Null without a readable cursor: the log is then read from its start. */
export async function loadCursor(folder: string): Promise<CursorState | null> {
  let text: string
  try {
    text = await readFile(join(folder, 'cursor.json'), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
  try {
    return decodeCursor(JSON.parse(text))
  } catch {
    return null
  }
}

function decodeCursor(value: unknown): CursorState | null {
  if (typeof value !== 'object' || value === null) return null
  const { head, open } = value as { head?: unknown; open?: unknown }
  const numbers = decodeNumbers(head, 4)
  if (numbers === null || !Array.isArray(open)) return null
  const deliveries: OpenDelivery[] = []
  for (const entry of open) {
    const fields = decodeNumbers(entry, 6)
    if (fields === null) return null
    const [segment = 0, offset = 0, index = 0, attempts = 0, bytes = 0, receivedAt = 0] = fields
    deliveries.push({ segment, offset, index, attempts, bytes, receivedAt })
  }
  const [segment = 0, offset = 0, index = 0, recordsBefore = 0] = numbers
  return { head: { segment, offset, index }, recordsBefore, open: deliveries }
}

function decodeNumbers(value: unknown, count: number): number[] | null {
  if (!Array.isArray(value) || value.length !== count) return null
  return value.every((field) => typeof field === 'number' && Number.isFinite(field)) ? value : null
}

/** Writes the cursor, one write at a time; changes made during a write share the next one. */
export class CursorFile {
  readonly #folder: string
  readonly #state: () => CursorState
  #writing: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(folder: string, state: () => CursorState) {
    this.#folder = folder
    this.#state = state
  }

  /** Resolves when the state of now, or a later one, is in the file. */
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
    const { head, recordsBefore, open } = this.#state()
    const text = JSON.stringify({
      head: [head.segment, head.offset, head.index, recordsBefore],
      open: open.map((one) => [
        one.segment,
        one.offset,
        one.index,
        one.attempts,
        one.bytes,
        one.receivedAt,
      ]),
    })
    const path = join(this.#folder, 'cursor.json')
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  }
}
