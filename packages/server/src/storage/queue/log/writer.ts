/**
 * The writing side of the embedded queue. Published records are copied into memory of their own at
 * once and handed, with that memory, to a thread that compresses, writes and syncs them
 * (`appender.ts`). Meanwhile the next records gather; a full stage is handed over without waiting.
 *
 * An unforeseen end of that thread is not caught: no promise could be kept any more, so the process
 * ends with it, and its supervisor starts it again.
 */
import { once } from 'node:events'
import { statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../../errors.ts'
import type { Delivery, QueueStats, QueueWriter } from '../port.ts'
import type { AppenderStart } from './appender.ts'
import type {
  AppenderAnswer,
  AppenderMessage,
  AppenderThreadStart,
  WriteCause,
} from './appender-thread.ts'
import { Backlog, fileBytes } from './backlog.ts'
import { loadCursor } from './cursor.ts'
import { defaultLogQueueLimits, type LogQueueLimits } from './limits.ts'
import { listSegments, SegmentReader, segmentHeaderBytes, segmentPath } from './segment.ts'
import { countSetAside } from './set-aside.ts'
import { makeDurableFolder } from '../../sync.ts'
import { Stages, type Stage, type Waiting } from './staging.ts'

/**
 * Opens the writing side: `publish`, `check`, `stats`, `close`. One per folder.
 * @throws STORAGE_FAILED
 */
export async function openLogQueueWriter(
  folder: string,
  limits: Partial<LogQueueLimits> = {},
): Promise<QueueWriter> {
  const all = { ...defaultLogQueueLimits, ...limits }
  try {
    const writer = new Writer(folder, all, await startAppender(folder, all))
    try {
      await writer.measure()
    } catch (cause) {
      await writer.close()
      throw cause
    }
    return writer
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `The queue in ${folder} cannot be opened.`, { cause })
  }
}

/**
 * Prepares the start of the thread: the folder, whose name is durable, and the place where the log
 * continues.
 */
export async function appenderStart(
  folder: string,
  limits: Pick<LogQueueLimits, 'segmentBytesMax'>,
): Promise<AppenderStart> {
  const logFolder = join(folder, 'log')
  await makeDurableFolder(logFolder)
  const numbers = await listSegments(logFolder)
  const cursor = await loadCursor(folder)
  return {
    logFolder,
    // Numbers are never used twice, so that a lease id names one delivery for ever.
    lastNumber: Math.max(numbers.at(-1) ?? 0, cursor?.front.segment ?? 0),
    recordsEver: (await countRecords(logFolder, numbers)) ?? cursor?.recordsBefore ?? 0,
    segmentBytesMax: limits.segmentBytesMax,
  }
}

async function startAppender(folder: string, limits: LogQueueLimits): Promise<Worker> {
  const { batchBytesMax } = limits
  const start: AppenderThreadStart = { ...(await appenderStart(folder, limits)), batchBytesMax }
  const worker = new Worker(new URL('./appender.worker.ts', import.meta.url), { workerData: start })
  await once(worker, 'message')
  return worker
}

/** Returns the number of records in all segments so far; null when none is readable. */
async function countRecords(logFolder: string, numbers: readonly number[]): Promise<number | null> {
  for (const number of [...numbers].reverse()) {
    const reader = await SegmentReader.open(logFolder, number)
    if (reader === null) continue
    const { records } = await reader.count(segmentHeaderBytes)
    await reader.close()
    return reader.recordsBefore + records
  }
  return null
}

/** Factor on the greatest age of a measurement while the next one is in flight. */
const measurePatience = 5

class Writer implements QueueWriter {
  readonly #folder: string
  readonly #logFolder: string
  readonly #limits: LogQueueLimits
  readonly #backlog: Backlog
  readonly #appender: Worker
  readonly #stages: Stages
  /** The stage that takes records now. */
  #filling: Stage | null = null
  readonly #handedOver = new Map<number, Stage>()
  #lastId = 0
  #pendingBytes = 0
  #idle: (() => void) | null = null
  #closing: Promise<void> | null = null
  #measuredAt = Number.NEGATIVE_INFINITY
  #measuring: Promise<void> | null = null
  #bytesOnDisk = 0
  #freeBytes = Number.POSITIVE_INFINITY

  constructor(folder: string, limits: LogQueueLimits, appender: Worker) {
    this.#folder = folder
    this.#logFolder = join(folder, 'log')
    this.#limits = limits
    this.#backlog = new Backlog(this.#logFolder)
    this.#stages = new Stages(limits.blockBytesMax, limits.stagesKeptMax)
    this.#appender = appender
    appender.on('message', (answer: AppenderAnswer) => this.#take(answer))
  }

  /**
   * Not `async`, since this runs for every envelope: it awaits only where there is something to
   * wait for.
   */
  publish(delivery: Delivery): Promise<void> {
    const measured = this.#freshMeasure()
    return measured === null ? this.#put(delivery) : measured.then(() => this.#put(delivery))
  }

  async check(): Promise<void> {
    await this.#freshMeasure()
    this.#admit(0)
    // A read-only disk is noticed only by writing.
    await writeFile(join(this.#folder, 'probe'), '.').catch((cause: WriteCause) => {
      throw writeFailure(cause)
    })
  }

  async stats(): Promise<QueueStats> {
    const measured = await this.#backlog.measure(await loadCursor(this.#folder))
    return { ...measured, setAside: await countSetAside(join(this.#folder, 'set-aside')) }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#handOver()
    if (this.#handedOver.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
    this.#tell(null)
    await once(this.#appender, 'exit')
  }

  async measure(): Promise<void> {
    try {
      let bytes = 0
      for (const number of await listSegments(this.#logFolder)) {
        bytes += await fileBytes(segmentPath(this.#logFolder, number))
      }
      const disk = await statfs(this.#logFolder)
      this.#bytesOnDisk = bytes
      this.#freeBytes = disk.bavail * disk.bsize
      this.#measuredAt = performance.now()
    } catch (cause) {
      throw new AppError('STORAGE_FAILED', `The queue in ${this.#folder} cannot be measured.`, {
        cause,
      })
    }
  }

  /** Null while the last measurement is recent enough. */
  #freshMeasure(): Promise<void> | null {
    const age = performance.now() - this.#measuredAt
    if (age <= this.#limits.measureMs) return null
    this.#measuring ??= this.measure().finally(() => (this.#measuring = null))
    // Waiting for each new figure would stop all callers once a second.
    if (age > measurePatience * this.#limits.measureMs) return this.#measuring
    this.#measuring.catch(() => {})
    return null
  }

  /** @throws QUEUE_FULL, SHUTTING_DOWN */
  #admit(bytes: number): void {
    if (this.#closing !== null) throw closed()
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

  #put(delivery: Delivery): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#admit(delivery.bytes.byteLength)
      this.#stage(delivery, { resolve, reject })
    })
  }

  #stage(delivery: Delivery, waiting: Waiting): void {
    if (this.#filling !== null && !this.#filling.hasRoomFor(delivery)) this.#handOver()
    if (this.#filling === null) {
      this.#filling = this.#stages.take(delivery)
      // Callers of the same turn of the event loop are served together.
      if (this.#handedOver.size === 0) setImmediate(() => this.#handOver())
    }
    this.#pendingBytes += delivery.bytes.byteLength
    this.#filling.add(delivery, waiting)
  }

  #handOver(): void {
    const stage = this.#filling
    if (stage === null) return
    this.#filling = null
    const id = ++this.#lastId
    this.#handedOver.set(id, stage)
    const { bytes, count } = stage
    this.#tell({ id, bytes, count }, [bytes.buffer])
  }

  #take(answer: AppenderAnswer): void {
    if (answer.type === 'written') this.#bytesOnDisk += answer.bytes
    const failure = answer.type === 'failed' ? writeFailure(answer.cause) : null
    for (const { id, memory } of answer.stages) {
      this.#stages.giveBack(memory)
      this.#finish(id, failure)
    }
    if (this.#handedOver.size > 0) return
    this.#handOver()
    if (this.#handedOver.size === 0) this.#idle?.()
  }

  #finish(id: number, failure: AppError | null): void {
    const stage = this.#handedOver.get(id)
    if (stage === undefined) return
    this.#handedOver.delete(id)
    this.#pendingBytes -= stage.payloadBytes
    for (const { resolve, reject } of stage.waiting) {
      if (failure === null) resolve()
      else reject(failure)
    }
  }

  #tell(message: AppenderMessage, transferred: readonly ArrayBuffer[] = []): void {
    this.#appender.postMessage(message, transferred)
  }
}

function writeFailure({ message, code }: WriteCause): AppError {
  const cause = Object.assign(new Error(message), { code })
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new AppError('QUEUE_FULL', 'The disk is full.', { cause })
    : new AppError('STORAGE_FAILED', 'The queue could not be written.', { cause })
}

function closed(): AppError {
  return new AppError('SHUTTING_DOWN', 'The queue is closed.')
}
