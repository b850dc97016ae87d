import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Appender, type AppenderStart, type Handover } from './appender.ts'

/**
 * A message to the thread: `null` is the last, after which it closes its file and ends. The memory
 * of a handover changes threads with it, and comes back with the answer.
 */
export type AppenderMessage = Handover | null

/** An answer of the thread: one for all records of a write, or `ready` at the start. */
export type AppenderAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'written'; readonly stages: readonly ReturnedStage[]; readonly bytes: number }
  | {
      readonly type: 'failed'
      readonly stages: readonly ReturnedStage[]
      readonly cause: WriteCause
    }

export interface ReturnedStage {
  readonly id: number
  readonly memory: ArrayBuffer
}

/** An error as it crosses threads: a message keeps only the text of an error's own members. */
export interface WriteCause {
  readonly message: string
  /** The system's code, such as `ENOSPC`. */
  readonly code: string | undefined
}

const port = parentPort
if (port === null) throw new Error('This file is a worker thread.')
const { batchBytesMax, ...start } = workerData as AppenderStart & { readonly batchBytesMax: number }
const appender = new Appender(start)

port.on('message', (first: AppenderMessage) => {
  let next: AppenderMessage | undefined = first
  while (next !== undefined && next !== null) {
    const batch: Handover[] = []
    let bytes = 0
    while (next !== undefined && next !== null && bytes < batchBytesMax) {
      batch.push(next)
      bytes += next.bytes.byteLength
      next = receiveMessageOnPort(port)?.message as AppenderMessage | undefined
    }
    answer(
      write(batch),
      batch.map(({ bytes: { buffer } }) => buffer),
    )
  }
  if (next === null) {
    appender.close()
    port.close()
  }
})
answer({ type: 'ready' })

function write(batch: readonly Handover[]): AppenderAnswer {
  const stages = batch.map(({ id, bytes }) => ({ id, memory: bytes.buffer }))
  try {
    return { type: 'written', stages, bytes: appender.append(batch) }
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException
    return { type: 'failed', stages, cause: { message, code } }
  }
}

function answer(message: AppenderAnswer, transferred: readonly ArrayBuffer[] = []): void {
  port?.postMessage(message, transferred)
}
