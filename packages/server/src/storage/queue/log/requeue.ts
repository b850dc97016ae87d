import { AppError } from '../../../errors.ts'
import type { QueueWriter } from '../port.ts'
import { decodeBlock } from './block.ts'
import { SegmentReader, segmentHeaderBytes } from './segment.ts'

/** Deliveries that wait for the disk at once. */
const TOGETHER_MAX = 500

export interface Requeued {
  /** Number of deliveries published again. */
  readonly deliveries: number
  /** Number of places at which bytes were skipped. */
  readonly broken: number
}

/**
 * Publishes the readable deliveries of a segment that was set aside. Those processed before come a
 * second time: rows with a key stay unchanged, and count as duplicates.
 * @throws INPUT_INVALID when the file is not a segment of this version, and errors of `publish`
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
      // A copy, since the queue takes the bytes over, and these are views into one block.
      waiting.push(...block.map((it) => queue.publish({ ...it, bytes: Uint8Array.from(it.bytes) })))
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
