/**
 * The writing side of the embedded queue. Whoever publishes while a write is under way shares the
 * next one: one `writev` in the thread pool for all of them, to a file opened with O_DSYNC. That is
 * a write and an `fdatasync` in one call, and so one turn of the thread pool instead of two.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'
import type { Delivery, Lease, Queue, QueueStats } from '../port.ts'
import { Backlog, fileBytes } from './backlog.ts'
import { loadCursor } from './cursor.ts'
import { defaultLogQueueLimits, type LogQueueLimits } from './limits.ts'
import { encodeRecordHead } from './record.ts'
import {
  encodeSegmentHeader,
  listSegments,
  SegmentReader,
  segmentHeaderBytes,
  segmentPath,
} from './segment.ts'
import { countSetAside } from './set-aside.ts'
import { syncFolder } from './sync.ts'

/**
 * Opens the writing side: `publish`, `check`, `stats`, `close`. One per folder.
 * @throws STORAGE_FAILED
 */
export async function openLogQueueWriter(
  folder: string,
  limits: Partial<LogQueueLimits> = {},
): Promise<Queue> {
  const logFolder = join(folder, 'log')
  try {
    await mkdir(logFolder, { recursive: true })
    const numbers = await listSegments(logFolder)
    const cursor = await loadCursor(folder)
    // Numbers are never used twice, so that a lease id names one delivery forever.
    const last = Math.max(numbers.at(-1) ?? 0, cursor?.head.segment ?? 0)
    const writer = new Writer(folder, { ...defaultLogQueueLimits, ...limits }, last)
    await writer.start(numbers, cursor?.recordsBefore ?? 0)
    return writer
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `The queue in ${folder} cannot be opened.`, { cause })
  }
}

/** How many times its age a measurement is still believed while the next one is under way. */
const measurePatience = 5

interface Waiting {
  readonly delivery: Delivery
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

interface OpenSegment {
  readonly file: FileHandle
  readonly number: number
  readonly marker: number
  bytes: number
}

class Writer implements Queue {
  readonly #folder: string
  readonly #logFolder: string
  readonly #limits: LogQueueLimits
  readonly #backlog: Backlog
  #segment: OpenSegment | null = null
  #lastNumber: number
  #recordsEver = 0
  #pending: Waiting[] = []
  #pendingBytes = 0
  #flushing: Promise<void> | null = null
  #isClosed = false
  #measuredAt = 0
  #measuring: Promise<void> | null = null
  #bytesOnDisk = 0
  #freeBytes = Number.POSITIVE_INFINITY

  constructor(folder: string, limits: LogQueueLimits, lastNumber: number) {
    this.#folder = folder
    this.#logFolder = join(folder, 'log')
    this.#limits = limits
    this.#lastNumber = lastNumber
    this.#backlog = new Backlog(this.#logFolder)
  }

  async start(numbers: readonly number[], recordsBefore: number): Promise<void> {
    this.#recordsEver = recordsBefore
    for (const number of [...numbers].reverse()) {
      const reader = await SegmentReader.open(this.#logFolder, number)
      if (reader === null) continue
      const { records } = await reader.count(segmentHeaderBytes)
      this.#recordsEver = reader.recordsBefore + records
      await reader.close()
      break
    }
    this.#segment = await this.#openSegment()
    await this.#measure()
  }

  async publish(delivery: Delivery): Promise<void> {
    await this.#admit(delivery.bytes.byteLength)
    this.#pendingBytes += delivery.bytes.byteLength
    return new Promise((resolve, reject) => {
      this.#pending.push({ delivery, resolve, reject })
      this.#flushing ??= new Promise((flushed) => {
        // The callers of this turn of the event loop go together.
        setImmediate(() => void this.#flush().finally(flushed))
      })
    })
  }

  async check(): Promise<void> {
    await this.#admit(0)
  }

  async stats(): Promise<QueueStats> {
    const measured = await this.#backlog.measure(await loadCursor(this.#folder))
    return { ...measured, setAside: await countSetAside(join(this.#folder, 'set-aside')) }
  }

  take(): Promise<readonly Lease[]> {
    return Promise.reject(notOurs('take'))
  }

  done(): Promise<void> {
    return Promise.reject(notOurs('done'))
  }

  setAside(): Promise<void> {
    return Promise.reject(notOurs('setAside'))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#flushing
    await this.#segment?.file.close()
    this.#segment = null
  }

  async #admit(bytes: number): Promise<void> {
    if (this.#isClosed) throw new AppError('SHUTTING_DOWN', 'The queue is closed.')
    const age = Date.now() - this.#measuredAt
    if (age > this.#limits.measureMs) {
      this.#measuring ??= this.#measure().finally(() => (this.#measuring = null))
      // Once a second everyone would wait for the disk a second time; only an old figure is worth it.
      if (age > measurePatience * this.#limits.measureMs) await this.#measuring
      else this.#measuring.catch(() => {})
    }
    const { freeBytesMin, pendingBytesMax, queueBytesMax } = this.#limits
    if (this.#freeBytes < freeBytesMin) {
      throw new AppError(
        'QUEUE_FULL',
        `The disk has ${this.#freeBytes} bytes left; ${freeBytesMin} are kept free.`,
      )
    }
    if (this.#bytesOnDisk + this.#pendingBytes + bytes > queueBytesMax) {
      throw new AppError('QUEUE_FULL', `The queue holds its ${queueBytesMax} bytes.`)
    }
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > pendingBytesMax) {
      throw new AppError('QUEUE_FULL', `${pendingBytesMax} bytes wait for the disk already.`)
    }
  }

  async #measure(): Promise<void> {
    try {
      let bytes = 0
      for (const number of await listSegments(this.#logFolder)) {
        bytes += await fileBytes(segmentPath(this.#logFolder, number))
      }
      const disk = await statfs(this.#logFolder)
      this.#bytesOnDisk = bytes
      this.#freeBytes = disk.bavail * disk.bsize
      this.#measuredAt = Date.now()
    } catch (cause) {
      throw new AppError('STORAGE_FAILED', `The queue in ${this.#folder} cannot be measured.`, {
        cause,
      })
    }
  }

  async #flush(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#takeBatch()
      const bytes = batch.reduce((sum, one) => sum + one.delivery.bytes.byteLength, 0)
      try {
        await this.#write(batch)
        for (const one of batch) one.resolve()
      } catch (cause) {
        await this.#abandonSegment()
        const failure = writeFailure(cause)
        for (const one of batch) one.reject(failure)
      } finally {
        this.#pendingBytes -= bytes
      }
    }
    this.#flushing = null
  }

  #takeBatch(): Waiting[] {
    // One record is two vectors, and the system takes 1024 of them at once.
    const countMax = 512
    let bytes = 0
    let count = 0
    for (const one of this.#pending) {
      bytes += one.delivery.bytes.byteLength
      if (count > 0 && (count === countMax || bytes > this.#limits.batchBytesMax)) break
      count += 1
    }
    if (count === this.#pending.length) {
      const batch = this.#pending
      this.#pending = []
      return batch
    }
    return this.#pending.splice(0, count)
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    if (this.#segment !== null && this.#segment.bytes >= this.#limits.segmentBytesMax) {
      const full = this.#segment
      this.#segment = null
      await full.file.close()
    }
    this.#segment ??= await this.#openSegment()
    const segment = this.#segment
    const vectors: Uint8Array[] = []
    for (const { delivery } of batch) {
      vectors.push(encodeRecordHead(delivery, segment.marker), delivery.bytes)
    }
    const written = await writeAll(segment.file, vectors, segment.bytes)
    segment.bytes += written
    this.#bytesOnDisk += written
    this.#recordsEver += batch.length
  }

  async #openSegment(): Promise<OpenSegment> {
    const number = this.#lastNumber + 1
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC
    const file = await open(segmentPath(this.#logFolder, number), flags)
    this.#lastNumber = number
    const marker = randomBytes(4).readUInt32LE()
    try {
      await file.write(encodeSegmentHeader(marker, this.#recordsEver), 0, segmentHeaderBytes, 0)
      await file.sync()
      await syncFolder(this.#logFolder)
    } catch (cause) {
      await file.close()
      throw cause
    }
    return { file, number, marker, bytes: segmentHeaderBytes }
  }

  /**
   * After a failed write or sync nobody knows what the disk holds, and a second sync may call lost
   * pages clean. So the file is cut to what was promised and never written again.
   */
  async #abandonSegment(): Promise<void> {
    const segment = this.#segment
    this.#segment = null
    if (segment === null) return
    await segment.file.truncate(segment.bytes).catch(() => {})
    await segment.file.close().catch(() => {})
  }
}

/** Writes every vector, going on after a short write; the number of bytes. */
async function writeAll(
  file: FileHandle,
  vectors: readonly Uint8Array[],
  offset: number,
): Promise<number> {
  let rest = vectors
  let written = 0
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, offset + written)
    if (bytesWritten === 0) throw new Error('the disk took no bytes')
    written += bytesWritten
    rest = afterBytes(rest, bytesWritten)
  }
  return written
}

function afterBytes(vectors: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes
  for (const [index, vector] of vectors.entries()) {
    if (left < vector.byteLength) return [vector.subarray(left), ...vectors.slice(index + 1)]
    left -= vector.byteLength
  }
  return []
}

function writeFailure(cause: unknown): AppError {
  const code = (cause as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new AppError('QUEUE_FULL', 'The disk is full.', { cause })
    : new AppError('STORAGE_FAILED', 'The queue could not be written.', { cause })
}

function notOurs(method: string): Error {
  return new Error(`The writing side of the queue does not ${method}.`)
}
