import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { Appender, type AppenderStart, type Handover } from './appender.ts'

/**
 * A message to the thread: `null` is the last, after which it closes its file and ends. The memory
 * of a handover changes threads with it, and comes back with the answer.
 */
export type AppenderMessage = Handover | null

/** The first message of the thread: its segment is open. */
export const ready = 'ready'

/** An answer of the thread: one for all records of a write. */
export type AppenderAnswer =
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

export interface AppenderThreadStart extends AppenderStart {
  /** Uncompressed bytes after which a write takes no further records. */
  readonly batchBytesMax: number
}

/** Opens the log, and writes what comes by the port until the last message. */
export function serveAppender(
  port: MessagePort,
  { batchBytesMax, ...start }: AppenderThreadStart,
): void {
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
      port.postMessage(
        write(appender, batch),
        batch.map(({ bytes: { buffer } }) => buffer),
      )
    }
    if (next === null) {
      appender.close()
      port.close()
    }
  })
  port.postMessage(ready)
}

function write(appender: Appender, batch: readonly Handover[]): AppenderAnswer {
  const stages = batch.map(({ id, bytes }) => ({ id, memory: bytes.buffer }))
  try {
    return { type: 'written', stages, bytes: appender.append(batch) }
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException
    return { type: 'failed', stages, cause: { message, code } }
  }
}
