import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { growGeneration } from '../../source-maps/artifacts.ts'
import { openDirectoryBlobs } from '../../storage/blobs/directory-blobs.ts'
import type { Blobs } from '../../storage/blobs/port.ts'
import { openSqliteEvents } from '../../storage/events/sqlite/index.ts'
import type { ProcessedItem } from '../../storage/events/port.ts'
import type { Metadata } from '../../storage/metadata/port.ts'
import { openSqliteMetadata } from '../../storage/metadata/sqlite.ts'
import type { Delivery } from '../../storage/queue/port.ts'
import { buildScript, placeOf } from '../../symbolication/built-script.fixture.ts'
import { CompiledMaps } from '../../symbolication/compiled-maps.ts'
import { processItem } from '../process-item.ts'
import { defaultScrubbing } from '../steps/scrub/settings.ts'
import { processDelivery } from './delivery.ts'
import { Symbolication } from './symbolication.ts'

const projectId = 7
const receivedAt = Date.parse('2026-11-20T08:00:00Z')
const debugId = '0d1ba1e4-3b44-4a0c-b0b5-1d3e8a2f4c11'
const url = 'https://shop.example/assets/cart.js'

let folder: string
let metadata: Metadata
let blobs: Blobs
let maps: CompiledMaps
let symbolication: Symbolication
const log = { warn: vi.fn(), error: vi.fn() }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterimage-symbolication-'))
  metadata = await openSqliteMetadata({ file: join(folder, 'metadata.db') })
  blobs = await openDirectoryBlobs(join(folder, 'blobs'))
  maps = new CompiledMaps(join(folder, 'maps'))
  symbolication = new Symbolication({ metadata, blobs, maps, log })
  await metadata.all(
    `insert into projects (id, slug, name, platform, created_at, settings)
     values (?, 'web', 'Web', 'javascript', 0, '{}')`,
    projectId,
  )
})

afterEach(async () => {
  await maps.close()
  await blobs.close()
  await metadata.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(files: Readonly<Record<string, string>>): Promise<void> {
  const [bundle] = await metadata.all<{ id: number }>(
    `insert into artifact_bundles (project_id, origin, checksum, state, uploaded_at, used_at)
     values (?, 'archive', ?, 'ok', 0, 0) returning id`,
    projectId,
    JSON.stringify(files),
  )
  for (const [kind, text] of Object.entries(files)) {
    const sha1 = createHash('sha1').update(text).digest('hex')
    const bytes = Buffer.byteLength(text)
    await blobs.put(sha1, zstdCompressSync(text))
    await metadata.all('insert into artifact_files values (?, ?, ?, 0)', sha1, sha1, bytes)
    await metadata.all(
      `insert into artifacts (bundle_id, project_id, kind, url, debug_id, sha1)
       values (?, ?, ?, '~/cart.js', ?, ?)`,
      bundle?.id ?? 0,
      projectId,
      kind,
      debugId,
      sha1,
    )
  }
  await metadata.transaction((tx) => growGeneration(tx, projectId))
}

/** An error as a browser sends it, thrown by one build of a script. */
function deliveryOf(script: string, eventId = 'ab'.repeat(16)): Delivery {
  const { line, column } = placeOf(script, 'new RangeError')
  const frame = { filename: url, function: 'tU', lineno: line + 1, colno: column + 1 }
  const event = {
    platform: 'javascript',
    timestamp: receivedAt / 1000,
    exception: { values: [{ type: 'RangeError', value: 'x', stacktrace: { frames: [frame] } }] },
    debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
  }
  const items = ['event', 'transaction'].map((type) => ({
    header: { type },
    payload: JSON.stringify(type === 'event' ? event : { type, spans: [] }),
  }))
  const bytes = encodeEnvelope({ event_id: eventId }, items)
  return { receivedAt, projectId, keyId: 'a', remoteAddress: null, userAgent: null, bytes }
}

async function processed(delivery: Delivery): Promise<readonly ProcessedItem[]> {
  const events = await symbolication.of(delivery, defaultScrubbing)
  return processDelivery(delivery, defaultScrubbing, processItem, events)
}

function errorOf([item]: readonly ProcessedItem[]) {
  const row = item?.rows[0]
  if (row?.table !== 'errors') throw new Error('there is no error')
  return { row, event: JSON.parse(row.payload ?? '') as NormalizedEvent }
}

test('an error is stored with its sources, its original, and what came of its scripts', async () => {
  const { script, map } = buildScript()
  await upload({ minified_source: script, source_map: map })
  const { row, event } = errorOf(await processed(deliveryOf(script)))
  expect(row.columns.culprit).toBe('payment(src/cart)')
  const [exception] = event.exception ?? []
  expect(exception?.stacktrace?.frames[0]).toMatchObject({ filename: 'src/cart.ts', lineno: 12 })
  expect(exception?.raw_stacktrace?.frames[0]).toMatchObject({ filename: url, function: 'tU' })
  expect(event.symbolication?.scripts).toMatchObject([{ url, frames: 1, mapped: 1 }])
})

test('two builds of one source are one issue with their maps, and the same bytes give the same rows', async () => {
  const one = buildScript()
  await upload({ minified_source: one.script, source_map: one.map })
  const first = await processed(deliveryOf(one.script))
  expect(await processed(deliveryOf(one.script))).toEqual(first)
  const other = { ...one, script: `/* a banner */${one.script}` }
  const shifted = JSON.parse(one.map) as { mappings: string }
  // The first column is 14 characters further: `c` is 14 in base64 VLQ.
  shifted.mappings = shifted.mappings.replace(/^A/, 'c')
  await metadata.all('delete from artifacts')
  await upload({ minified_source: other.script, source_map: JSON.stringify(shifted) })
  const second = await processed(deliveryOf(other.script))
  expect(errorOf(second).event.exception?.[0]?.stacktrace?.frames[0]?.lineno).toBe(12)
  expect(errorOf(second).row.columns.groupingHash).toBe(errorOf(first).row.columns.groupingHash)
})

test('an event that comes again with its map is the row that it was', async () => {
  const { script, map } = buildScript()
  const events = await openSqliteEvents({ file: join(folder, 'events.db'), mode: 'writer' })
  const before = await processed(deliveryOf(script))
  await upload({ minified_source: script, source_map: map })
  const after = await processed(deliveryOf(script))
  expect(errorOf(after).row.columns.groupingHash).not.toBe(errorOf(before).row.columns.groupingHash)
  for (const [index, items] of [before, after].entries()) {
    await events.append([{ deliveryId: `d${index}`, projectId, receivedAt, items }])
  }
  const { rows } = await events.page({
    table: 'errors',
    projectIds: [projectId],
    where: [],
    limit: 10,
  })
  expect(rows).toHaveLength(1)
  await events.close()
})

test('without uploads, and for other items, nothing is read', async () => {
  const { script, map } = buildScript()
  expect(await symbolication.of(deliveryOf(script), defaultScrubbing)).toEqual(new Map())
  await upload({ minified_source: script, source_map: map })
  const events = await symbolication.of(deliveryOf(script), defaultScrubbing)
  expect([...events.keys()]).toEqual([0])
})

test('a script without an upload is looked for once, until something is uploaded', async () => {
  const { script, map } = buildScript()
  await upload({})
  const asked = vi.spyOn(metadata, 'all')
  const { event } = errorOf(await processed(deliveryOf(script)))
  expect(event.symbolication?.scripts).toMatchObject([{ problem: 'js_no_source' }])
  const first = asked.mock.calls.length
  await processed(deliveryOf(script))
  expect(asked.mock.calls.length).toBe(first + 1)
  asked.mockRestore()
  await upload({ minified_source: script, source_map: map })
  expect(errorOf(await processed(deliveryOf(script))).event.symbolication?.scripts).toMatchObject([
    { mapped: 1 },
  ])
})
