/**
 * Measures how many deliveries a second the embedded queue makes durable, and what one costs the
 * process: 64 callers, error events of about 8 KB from one project and from 64 and, as the worst case,
 * 7 KB of incompressible bytes; without and with a reader that takes and forgets them. Then measures
 * how many of 20,000 come before one of another project. Run: `node bench/queue.ts [seconds] [folder]`.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createPayloads } from './ingest/payloads.ts'
import type { Delivery, QueueWriter } from '../packages/server/src/storage/queue/port.ts'
import { openLogQueueReader } from '../packages/server/src/storage/queue/log/reader.ts'
import { openLogQueueWriter } from '../packages/server/src/storage/queue/log/writer.ts'

const seconds = Number(process.argv[2] ?? 10)
const parent = process.argv[3] ?? tmpdir()
const callers = 64
const backlog = 20_000
/** So many that none comes twice in one block. */
const bodyCount = 256
const payloads = createPayloads(1)
const errorEvents = Array.from({ length: bodyCount }, () =>
  payloads.next({ error: 1, spans: 0, replay: 0 }),
)
const noise = Array.from({ length: bodyCount }, () => randomBytes(7 * 1024))

interface Load {
  readonly name: string
  readonly bodies: readonly Buffer[]
  readonly projects: number
}

const loads: readonly Load[] = [
  { name: 'error events', bodies: errorEvents, projects: 1 },
  { name: 'error events of 64 projects', bodies: errorEvents, projects: 64 },
  { name: 'noise', bodies: noise, projects: 1 },
]

/** The queue takes the bytes over, so each delivery has its own, as a request's body does. */
function deliveryOf({ bodies, projects }: Load, index: number): Delivery {
  return {
    receivedAt: Date.now(),
    projectId: 1 + (index % projects),
    keyId: 'a'.repeat(32),
    remoteAddress: '192.0.2.1',
    userAgent: 'bench',
    bytes: Uint8Array.from(bodies[index % bodies.length] ?? []),
  }
}

async function publishWhile(
  writer: QueueWriter,
  load: Load,
  goesOn: (published: number) => boolean,
): Promise<number> {
  let published = 0
  const call = async (): Promise<void> => {
    while (goesOn(published)) await writer.publish(deliveryOf(load, published++))
  }
  await Promise.all(Array.from({ length: callers }, call))
  return published
}

async function measure(load: Load, isRead: boolean): Promise<void> {
  const folder = await mkdtemp(join(parent, 'afterimage-bench-queue-'))
  const writer = await openLogQueueWriter(folder)
  const stop = new AbortController()
  const reading = isRead ? readUntil(folder, stop.signal) : Promise.resolve(0)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const endAt = startedAt + seconds * 1000
  const published = await publishWhile(writer, load, () => performance.now() < endAt)
  const elapsed = (performance.now() - startedAt) / 1000
  delay.disable()
  stop.abort()
  const read = await reading
  const { user, system } = process.cpuUsage(cpuBefore)
  const rate = Math.round(published / elapsed)
  const p99 = (delay.percentile(99) / 1e6).toFixed(1)
  console.log(
    `${load.name}, ${isRead ? 'with a reader' : 'writing only'}: ${rate} durable records/s` +
      ` (${((user + system) / published).toFixed(1)} µs of processor each,` +
      ` event loop delay p99 ${p99} ms${isRead ? `, ${Math.round(read / elapsed)} read/s` : ''})`,
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

/** Reads a whole backlog, and the one delivery of another project that came last. */
async function measureTurn(load: Load): Promise<void> {
  const folder = await mkdtemp(join(parent, 'afterimage-bench-queue-'))
  const writer = await openLogQueueWriter(folder)
  const published = await publishWhile(writer, load, (count) => count < backlog)
  await writer.publish({ ...deliveryOf(load, 0), projectId: 1000 })
  const reader = await openLogQueueReader(folder)
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  let read = 0
  let ahead = -1
  while (read <= published) {
    const leases = await reader.take(500, 60_000)
    const place = leases.findIndex((lease) => lease.delivery.projectId === 1000)
    if (place !== -1) ahead = read + place
    read += leases.length
    await reader.done(leases)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  const elapsed = (performance.now() - startedAt) / 1000
  console.log(
    `${load.name}: behind ${published} waiting, ${ahead} came before one of another project;` +
      ` ${Math.round(read / elapsed)} read/s, ${((user + system) / read).toFixed(1)} µs of processor each`,
  )
  await reader.close()
  await writer.close()
  await rm(folder, { recursive: true })
}

for (const isRead of [false, true]) for (const load of loads) await measure(load, isRead)
for (const load of loads) await measureTurn(load)
