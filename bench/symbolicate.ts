/**
 * Measures symbolication: frames per second warm and cold, the first frame of a map of 20 MB with the
 * delay of the loop meanwhile, more maps than the caches have room for, and error events with eight
 * mapped frames from bytes to row. Beside it, in the same run, the library that decodes maps does the
 * same in memory: positions alone, and whole frames with their lines. Events count processor time, as
 * the machine may do other work.
 *
 *     node bench/symbolicate.ts [--seconds 3] [--maps 300]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { TraceMap, originalPositionFor, sourceContentFor } from '@jridgewell/trace-mapping'
import { transformSync } from 'esbuild'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { processDelivery, readEvents } from '../packages/server/src/process/worker/delivery.ts'
import { processItem } from '../packages/server/src/process/process-item.ts'
import { defaultScrubbing } from '../packages/server/src/process/steps/scrub/settings.ts'
import type { Artifact, FoundArtifacts } from '../packages/server/src/source-maps/artifacts.ts'
import { openSqliteEvents } from '../packages/server/src/storage/events/sqlite/index.ts'
import type { ProcessedEnvelope } from '../packages/server/src/storage/events/port.ts'
import type { CompiledMap } from '../packages/server/src/symbolication/compiled-map.ts'
import {
  CompiledMaps,
  compiledMapLimits,
} from '../packages/server/src/symbolication/compiled-maps.ts'
import { placeAt } from '../packages/server/src/symbolication/mapped-frame.ts'
import { symbolicateFrames } from '../packages/server/src/symbolication/symbolicate-frames.ts'
import { seededRandom } from '../packages/server/src/testing/seeded-random.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, maps: { type: 'string', default: '300' } },
})
const seconds = Number(values.seconds)
const mapCount = Number(values.maps)
const random = seededRandom(7)

interface Built {
  readonly script: string
  readonly map: string
}

/** A module as applications have them: classes, arrow functions, branches, texts. */
function makeModule(number: number): string {
  const methods = Array.from(
    { length: 12 },
    (_, index) => `
  handle${index}(order: { id: string; price: number; items: string[] }): number {
    const total = order.items.reduce((sum, item) => sum + item.length * order.price, ${index})
    if (total > ${1000 + index}) {
      throw new RangeError(\`order \${order.id} of module ${number} is too large: \${total}\`)
    }
    return total > 10 ? this.handle${(index + 1) % 12}({ ...order, price: order.price / 2 }) : total
  }`,
  )
  return `export class Module${number} {${methods.join('\n')}\n}\n`
}

/** One script of so many modules, minified, with its map. */
function build(modules: number, first = 0): Built {
  const source = Array.from({ length: modules }, (_, index) => makeModule(first + index)).join('\n')
  const { code, map } = transformSync(source, {
    loader: 'ts',
    minify: true,
    sourcemap: true,
    sourcefile: `src/modules-${first}.ts`,
  })
  return { script: code, map }
}

function positionsOf({ script }: Built, count: number): { line: number; column: number }[] {
  const [line = ''] = script.split('\n')
  return Array.from({ length: count }, () => ({
    line: 1,
    column: 1 + Math.floor(random() * line.length),
  }))
}

function perSecond(work: () => number): number {
  const start = performance.now()
  let done = 0
  while (performance.now() - start < seconds * 1000) done += work()
  return done / ((performance.now() - start) / 1000)
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const folder = mkdtempSync(join(tmpdir(), 'bench-symbolicate-'))
const maps = new CompiledMaps(join(folder, 'maps'))

function uploadsOf({ script, map }: Built) {
  return async () => ({
    map: new Uint8Array(Buffer.from(map)),
    script: new Uint8Array(Buffer.from(script)),
  })
}

async function ask<T>(
  from: CompiledMaps,
  key: string,
  built: Built,
  question: (map: CompiledMap) => T,
): Promise<T> {
  const answer = await from.ask(key, uploadsOf(built), question)
  if (typeof answer === 'object' && answer !== null && 'unusable' in answer) {
    throw new Error(answer.unusable)
  }
  return answer
}

/** Warm: the same map, random positions, beside the library with everything in memory. */
async function warm(): Promise<void> {
  const built = build(300)
  const positions = positionsOf(built, 5000)
  const reference = new TraceMap(built.map)
  const lines = new Map<string, string[]>()
  const theirs = perSecond(() => {
    for (const position of positions) originalPositionFor(reference, position)
    return positions.length
  })
  const theirFrames = perSecond(() => {
    let sum = 0
    for (const position of positions) {
      const { source, line } = originalPositionFor(reference, position)
      if (source === null) continue
      let text = lines.get(source)
      if (text === undefined) {
        text = sourceContentFor(reference, source)?.split('\n') ?? []
        lines.set(source, text)
      }
      sum += text.slice(Math.max(0, line - 6), line + 5).length
    }
    return sum > 0 ? positions.length : 0
  })
  const ours = await ask(maps, 'warm', built, (map) =>
    perSecond(() => {
      for (const { column } of positions) map.position(0, column)
      return positions.length
    }),
  )
  const ourFrames = await ask(maps, 'warm', built, (map) =>
    perSecond(() => {
      for (const { column } of positions) placeAt(map, 1, column)
      return positions.length
    }),
  )
  console.log(`map of ${megabytes(built.map.length)}, positions at random, per second, warm:`)
  console.log(
    `  positions:                  ${rate(ours)} (library ${rate(theirs)}: ${(ours / theirs).toFixed(2)})`,
  )
  console.log(
    `  frames with name and lines: ${rate(ourFrames)} (library with lines, without names ${rate(theirFrames)}: ${(ourFrames / theirFrames).toFixed(2)})`,
  )
}

/** The first frame of a large map, with the delay of the loop meanwhile. */
async function large(): Promise<void> {
  let modules = 1000
  let built = build(modules)
  modules = Math.ceil((modules * 20e6) / built.map.length)
  built = build(modules)
  const limits = { ...compiledMapLimits, compileWaitMs: 120_000 }
  const patient = new CompiledMaps(join(folder, 'large'), limits)
  const read = uploadsOf(built)
  const uploads = await read()
  const idle = await loopDelay(() => wait(2000))
  let firstMs = 0
  const compiling = await loopDelay(async () => {
    const start = performance.now()
    await patient.ask(
      'large',
      async () => uploads,
      (map) => placeAt(map, 1, 1000),
    )
    firstMs = performance.now() - start
  })
  console.log(`first frame of a map of ${megabytes(built.map.length)}: ${firstMs.toFixed(0)} ms`)
  console.log(
    `  delay of the loop meanwhile: ${compiling}; before, with nothing to do: ${idle} (timer of 5 ms)`,
  )
  await patient.close()
  const again = new CompiledMaps(join(folder, 'large'), limits)
  const opened = performance.now()
  await again.ask('large', read, (map) => placeAt(map, 1, 100_000))
  console.log(`  after a restart: ${(performance.now() - opened).toFixed(2)} ms`)
  console.log(
    `  its file: ${megabytes(again.fileBytes)}; index in memory ${megabytes(again.cachedBytes)}`,
  )
  await again.close()
}

async function loopDelay(work: () => Promise<unknown>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await work()
  delay.disable()
  return `p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, longest ${ms(delay.max)}`
}

/** More maps than are open at one time. */
async function churn(): Promise<void> {
  const limits = { ...compiledMapLimits, openMapsMax: 20, compileWaitMs: 120_000 }
  const many = new CompiledMaps(join(folder, 'many'), limits)
  const template = build(100)
  const built = (number: number): Built => ({
    script: template.script,
    map: template.map.replace('modules-0', `modules-${number}`),
  })
  const start = performance.now()
  for (let number = 0; number < mapCount; number += 1) {
    await ask(many, `map-${number}`, built(number), (map) => placeAt(map, 1, 100))
  }
  const compileMs = (performance.now() - start) / mapCount
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const positions = positionsOf(template, 20_000)
  const times: number[] = []
  for (const { column } of positions) {
    const key = `map-${Math.floor(random() * mapCount)}`
    const asked = performance.now()
    await many.ask(key, uploadsOf(template), (map) => placeAt(map, 1, column))
    times.push(performance.now() - asked)
  }
  times.sort((one, other) => one - other)
  const total = times.reduce((sum, time) => sum + time, 0)
  console.log(
    `${mapCount} maps of ${megabytes(template.map.length)}, 20 open: compiled in ${compileMs.toFixed(0)} ms each; a frame of any: ` +
      `p50 ${quantile(times, 0.5).toFixed(3)} ms, p99 ${quantile(times, 0.99).toFixed(3)} ms, ${rate(1000 * (times.length / total))}/s`,
  )
  console.log(
    `  indexes and blocks in memory ${megabytes(many.cachedBytes)} (at most ${megabytes(limits.cachedBytesMax)}); resident ${megabytes(process.memoryUsage().rss - before)} more; on disk ${megabytes(many.fileBytes)}`,
  )
  await many.close()
}

/** Error events with eight mapped frames, from bytes to the stored row. */
async function drain(): Promise<void> {
  const built = build(300)
  const url = 'https://shop.example/app.js'
  const found: FoundArtifacts = {
    minified: artifactOf('minified_source', built.script),
    sourceMap: artifactOf('source_map', built.map),
    resolvedWith: 'debug-id',
  }
  const dependencies = {
    search: { find: async () => found },
    blobs: undefined as never,
    maps,
    log: { warn: console.warn },
  }
  await ask(maps, 'source_map-minified_source', built, () => 0)
  const envelopes = Array.from({ length: 2000 }, (_, number) => envelopeOf(number, built, url))
  const events = await openSqliteEvents({ file: join(folder, 'events.db'), mode: 'writer' })
  for (const isMapped of [false, true]) {
    let at = 0
    let mapMicroseconds = 0
    let bytes = 0
    const start = performance.now()
    const cpu = process.cpuUsage()
    while (performance.now() - start < seconds * 1000) {
      const batch: ProcessedEnvelope[] = []
      for (let index = 0; index < 200; index += 1) {
        const delivery = envelopes[at % envelopes.length]!
        let read: ReadonlyMap<number, NormalizedEvent> = new Map()
        if (isMapped) {
          const began = process.cpuUsage()
          read = readEvents(delivery, defaultScrubbing)
          for (const event of read.values()) {
            await symbolicateFrames(event, { id: 1, generation: 1 }, dependencies)
          }
          mapMicroseconds += microsecondsSince(began)
        }
        const items = processDelivery(delivery, defaultScrubbing, processItem, read)
        const rows = items.map((item) => ({
          ...item,
          rows: item.rows.map((row) => renamed(row, at)),
        }))
        bytes += rows[0]?.rows[0]?.payload?.length ?? 0
        batch.push({
          deliveryId: `${isMapped}-${at}`,
          projectId: 1,
          receivedAt: delivery.receivedAt,
          items: rows,
        })
        at += 1
      }
      await events.append(batch)
    }
    const wall = at / ((performance.now() - start) / 1000)
    const each = microsecondsSince(cpu) / at
    const reading = isMapped
      ? `, of which reading and mapping ${(mapMicroseconds / at).toFixed(0)} µs`
      : ''
    console.log(
      `error events ${isMapped ? 'with 8 mapped frames' : 'as they come'}, from bytes to row: ${rate(1e6 / each)}/s of processor time ` +
        `(${each.toFixed(0)} µs each${reading}), ${rate(wall)}/s as the clock has it; ${(bytes / at / 1024).toFixed(1)} KB each`,
    )
  }
  await events.close()
}

function artifactOf(kind: Artifact['kind'], text: string): Artifact {
  const stored = { sha1: kind, blobKey: kind, bytes: text.length }
  return { kind, url: '~/app.js', debugId: null, sourceMapReference: null, ...stored }
}

/** The same event again under another id, as the store keeps each once. */
function renamed<R extends { columns: object }>(row: R, number: number): R {
  const eventId = number.toString(16).padStart(32, 'c')
  return 'eventId' in row.columns ? { ...row, columns: { ...row.columns, eventId } } : row
}

function envelopeOf(number: number, built: Built, url: string) {
  const frames = positionsOf(built, 8).map(({ line, column }) => ({
    filename: url,
    function: 'tU',
    in_app: true,
    lineno: line,
    colno: column,
  }))
  const event = {
    platform: 'javascript',
    timestamp: 1795161347 + number / 1000,
    release: 'shop@4.12.0',
    environment: 'production',
    exception: {
      values: [{ type: 'RangeError', value: `order ${number}`, stacktrace: { frames } }],
    },
    breadcrumbs: Array.from({ length: 30 }, (_, index) => ({
      timestamp: 1795161300 + index,
      category: 'fetch',
      type: 'http',
      data: { method: 'GET', url: `/api/cart/${index}?page=2`, status_code: 200 },
    })),
    request: { url: 'https://shop.example/checkout' },
    user: { id: String(number % 1000) },
    tags: { feature: 'checkout', plan: 'pro' },
  }
  const header = { event_id: number.toString(16).padStart(32, '1') }
  const bytes = encodeEnvelope(header, [
    { header: { type: 'event' }, payload: JSON.stringify(event) },
  ])
  const receivedAt = 1795161347400
  return { receivedAt, projectId: 1, keyId: 'a', remoteAddress: null, userAgent: null, bytes }
}

function microsecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return user + system
}

function rate(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function ms(nanoseconds: number): string {
  return `${(nanoseconds / 1e6).toFixed(1)} ms`
}

try {
  await warm()
  await drain()
  await large()
  await churn()
} finally {
  await maps.close()
  rmSync(folder, { recursive: true, force: true })
}
