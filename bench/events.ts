/**
 * Measures the embedded event store: error events and spans appended a second, and bytes on disk of
 * an error event after sealing. Run: `node bench/events.ts [--events 20000] [--traces 20000]`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { EventStore, ProcessedEnvelope } from '@afterimage/server/storage/events/port'
import { openSqliteEvents } from '@afterimage/server/storage/events/sqlite/index'
import { openSamples } from './event-samples/index.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    traces: { type: 'string', default: '20000' },
    batch: { type: 'string', default: '300' },
  },
})
const batchSize = Number(values.batch)
const start = Date.UTC(2026, 5, 16, 8)

await measureErrors(Number(values.events))
await measureSpans(Number(values.traces))

async function measureErrors(count: number): Promise<void> {
  await within(async (store, file) => {
    const samples = openSamples(1)
    let payloadBytes = 0
    const seconds = await append(store, count, (at) => {
      const envelope = samples.error(at)
      payloadBytes += envelope.items[0]?.rows[0]?.payload?.length ?? 0
      return envelope
    })
    // The next day: received rows are sealed.
    for (let run = 0; run < 5; run++) await store.maintain(start + 3 * 86_400_000, 1e12)
    const bytes =
      statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
    console.log(
      `error events: ${rate(count, seconds)}/s; ${Math.round(payloadBytes / count)} bytes of payload each, ${Math.round(bytes / count)} on disk`,
    )
  })
}

async function measureSpans(traces: number): Promise<void> {
  await within(async (store, file) => {
    const samples = openSamples(2)
    let spans = 0
    const seconds = await append(store, traces, (at) => {
      const envelope = samples.trace(at)
      spans += envelope.items[0]?.rows.filter((row) => row.table === 'spans').length ?? 0
      return envelope
    })
    for (let run = 0; run < 5; run++) await store.maintain(start + 3 * 86_400_000, 1e12)
    const bytes = statSync(file).size
    console.log(
      `spans: ${rate(spans, seconds)}/s in ${rate(traces, seconds)} transactions/s; ${Math.round(bytes / spans)} bytes each on disk, transactions and vitals included`,
    )
  })
}

/** Appends in batches; only the time inside `append` counts. Receipt moves on by 3 ms each. */
async function append(
  store: EventStore,
  count: number,
  make: (receivedAt: number) => ProcessedEnvelope,
): Promise<number> {
  let milliseconds = 0
  const batches: number[] = []
  for (let done = 0; done < count; done += batchSize) {
    const envelopes = Array.from({ length: Math.min(batchSize, count - done) }, (_, index) =>
      make(start + (done + index) * 3),
    )
    const before = performance.now()
    await store.append(envelopes)
    const took = performance.now() - before
    milliseconds += took
    batches.push(took)
    if (batches.length % 20 === 0) await store.maintain(start + done * 3, 0)
  }
  batches.sort((a, b) => a - b)
  const at = (q: number): string => (batches[Math.floor(batches.length * q)] ?? 0).toFixed(1)
  console.log(`  batches of ${batchSize}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`)
  return milliseconds / 1_000
}

async function within(body: (store: EventStore, file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-events-'))
  const file = join(folder, 'events.db')
  const store = await openSqliteEvents({ file, mode: 'writer' })
  try {
    await body(store, file)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function rate(count: number, seconds: number): string {
  return Math.round(count / seconds).toLocaleString('en')
}
