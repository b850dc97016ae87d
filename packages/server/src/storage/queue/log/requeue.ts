import { AppError } from '../../../errors.ts'
import type { QueueWriter } from '../port.ts'
import { decodeBlock } from './block.ts'
import { SegmentReader, segmentHeaderBytes } from './segment.ts'

/** Deliveries that wait for the disk at one time. */
const TOGETHER_MAX = 500

export interface Requeued {
  /** Deliveries that are in the queue again. */
  readonly deliveries: number
  /** Places at which bytes had to be left out. */
  readonly broken: number
}

/**
 * Publishes what can be read of a segment that was set aside. What had been processed before comes a
 * second time: rows that have a key stay as they are, and count as duplicates.
 * @throws INPUT_INVALID when the file is not a segment of this version, and what `publish` throws
 */
export async function requeueSegment(path: string, queue: QueueWriter): Promise<Requeued> {
  const reader = await SegmentReader.openFile(path, 0)
  if (reader === null) {
    throw new AppError('INPUT_INVALID', `${path} is not a queue segment that can be read.`)
  }
  let deliveries = 0
  let broken = 0
  let waiting: Promise<void>[] = []
  try {
    const size = await reader.size()
    let offset = segmentHeaderBytes
    while (offset < size) {
      const found = await reader.read(offset)
      const block = found.type === 'block' ? decodeBlock(found.header, found.body) : null
      if (found.type !== 'block' || block === null) {
        broken += 1
        offset = (await reader.nextIntact(offset)) ?? size
        continue
      }
      // A copy: the queue takes the bytes over, and these are views into one block.
      waiting.push(...block.map((it) => queue.publish({ ...it, bytes: it.bytes.slice() })))
      deliveries += block.length
      offset = found.nextOffset
      if (waiting.length < TOGETHER_MAX) continue
      await Promise.all(waiting)
      waiting = []
    }
    await Promise.all(waiting)
  } finally {
    await reader.close()
  }
  return { deliveries, broken }
}
