/**
 * Measures how many deliveries a second the embedded queue makes durable: 64 callers, error events
 * of about 8 KB and, as the worst case, 7 KB of incompressible bytes; without and with a reader
 * that takes and forgets them. Run: `node bench/queue.ts [seconds] [folder]`.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createPayloads } from './ingest/payloads.ts'
import { openLogQueueReader } from '../packages/server/src/storage/queue/log/reader.ts'
import { openLogQueueWriter } from '../packages/server/src/storage/queue/log/writer.ts'

const seconds = Number(process.argv[2] ?? 10)
const parent = process.argv[3] ?? tmpdir()
const callers = 64
/** So many that none comes twice in one block. */
const bodyCount = 256
const payloads = createPayloads(1)
const errorEvents = Array.from({ length: bodyCount }, () =>
  payloads.next({ error: 1, spans: 0, replay: 0 }),
)
const noise = Array.from({ length: bodyCount }, () => randomBytes(7 * 1024))

async function measure(name: string, bodies: readonly Buffer[], isRead: boolean): Promise<void> {
  const folder = await mkdtemp(join(parent, 'afterimage-bench-queue-'))
  const writer = await openLogQueueWriter(folder)
  const stop = new AbortController()
  const reading = isRead ? readUntil(folder, stop.signal) : Promise.resolve(0)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1000
  let published = 0
  const call = async (): Promise<void> => {
    while (performance.now() < endAt) {
      await writer.publish({
        receivedAt: Date.now(),
        projectId: 1,
        keyId: 'a'.repeat(32),
        remoteAddress: '192.0.2.1',
        userAgent: 'bench',
        bytes: bodies[published % bodies.length] ?? Buffer.alloc(0),
      })
      published += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  const elapsed = (performance.now() - startedAt) / 1000
  delay.disable()
  stop.abort()
  const read = await reading
  const rate = Math.round(published / elapsed)
  const p99 = (delay.percentile(99) / 1e6).toFixed(1)
  console.log(
    `${name}, ${isRead ? 'with a reader' : 'writing only'}: ${rate} durable records/s` +
      ` (event loop delay p99 ${p99} ms${isRead ? `, ${Math.round(read / elapsed)} read/s` : ''})`,
  )
  await writer.close()
  await rm(folder, { recursive: true })
}

async function readUntil(folder: string, signal: AbortSignal): Promise<number> {
  const reader = await openLogQueueReader(folder)
  let read = 0
  while (!signal.aborted) {
    const leases = await reader.take(500, 60_000, signal)
    read += leases.length
    await reader.done(leases)
  }
  await reader.close()
  return read
}

for (const isRead of [false, true]) {
  await measure('error events', errorEvents, isRead)
  await measure('noise', noise, isRead)
}
