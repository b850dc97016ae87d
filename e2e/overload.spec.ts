import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiStats } from '@afterimage/protocol/api'
import type { LoadOptions, LoadResult } from '../bench/ingest/load.ts'
import { startProduct, type Product } from './support/product.ts'
import { until } from './support/until.ts'

/** Far more than the server can do, from senders and from strangers at once; then nothing more. */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
const FLOOD_SECONDS = isLong ? 60 : 1

/**
 * Memory limit of each role, in MiB: about twice the observed use. That of the front door is its
 * use at rest and the limit of its bodies.
 */
const MEMORY_MAX = { ingest: 650, process: 400, web: 450 }

/** Memory that 120 bombs may leave behind, in MiB: one of them becomes 100 MiB. */
const KEPT_MAX = 60

let product: Product
let address: { readonly port: number; readonly path: string }

beforeAll(async () => {
  product = await startProduct()
  const { id, dsn } = await product.createProject('flood')
  const path = `/api/${id}/envelope/?sentry_key=${new URL(dsn).username}&sentry_version=7`
  address = { port: Number(new URL(product.url).port), path }
})
afterAll(() => product?.[Symbol.asyncDispose]())

test('a flood of everything bounds what each role takes, and all that was accepted is there after it', async () => {
  const [load] = await Promise.all([flood(), bombs(FLOOD_SECONDS), largeSignIns(), pipelines()])
  await until('the console answers', async () => (await fetch(`${product.url}/sign-in`)).ok)
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200)
  expect(load.accepted).toBeGreaterThan(0)
  await until('everything is queryable', async () => (await queryable()) >= load.accepted, 600_000)
  expect(await queryable()).toBe(load.accepted)
  const most = await memoryOf('VmHWM')
  for (const [role, megabytes] of Object.entries(MEMORY_MAX)) {
    expect(most.get(role), `${role}: MiB at the most`).toBeLessThan(megabytes)
  }
  // No role had to start again for it.
  expect(product.output()).not.toMatch(/ ended \(/)
}, 700_000)

test('bombs do not add up in the memory of the front door', async () => {
  await bombs(2)
  const before = (await memoryOf('VmRSS')).get('ingest') ?? 0
  await bombs(isLong ? 60 : 6)
  const after = (await memoryOf('VmRSS')).get('ingest') ?? Infinity
  expect(after, `MiB kept, and ${before} before`).toBeLessThan(before + KEPT_MAX)
})

/** Error events, as fast as they are taken. */
async function flood(): Promise<LoadResult> {
  const options: LoadOptions = {
    ...address,
    connections: 256,
    seconds: FLOOD_SECONDS,
    perSecond: 0,
    mix: { error: 1, spans: 0, replay: 0 },
    seed: 1,
  }
  const script = fileURLToPath(new URL('../bench/ingest/load.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(child, 'exit')
  return JSON.parse(text) as LoadResult
}

/** Small bodies that become large, again and again. */
async function bombs(rounds: number): Promise<void> {
  const items = '{"type":"attachment","length":104857600}\n'
  const body = gzipSync(Buffer.concat([Buffer.from(`{}\n${items}`), Buffer.alloc(100 * 1024 ** 2)]))
  const url = `http://127.0.0.1:${address.port}${address.path}`
  const headers = { 'content-encoding': 'gzip' }
  for (let round = 0; round < rounds; round += 1) {
    const answers = Array.from({ length: 20 }, () => refusal(url, { headers, body }))
    for (const status of await Promise.all(answers)) expect([413, 503, null]).toContain(status)
  }
}

/** Returns the status; null where the connection was reset: a refused body is read for two seconds only. */
async function refusal(url: string, request: RequestInit): Promise<number | null> {
  const answer = await fetch(url, { method: 'POST', ...request }).catch(() => null)
  return answer?.status ?? null
}

/** Passwords of three megabytes. */
async function largeSignIns(): Promise<void> {
  const body = JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(3 * 1024 ** 2) })
  const headers = { 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${address.port}/api/auth/sign-in/email`
  for (let round = 0; round < 10; round += 1) {
    expect([413, null]).toContain(await refusal(url, { headers, body }))
  }
}

/** A hundred connections that ask for pages without end, and go. */
async function pipelines(): Promise<void> {
  const asked = 'GET /sign-in HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(50)
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(address.port, '127.0.0.1', () => socket.write(asked))
    return socket.on('error', () => {}).resume()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'close')))
}

/** Error events that the store answers for. */
async function queryable(): Promise<number> {
  const stats = await product.api<ApiStats>(
    'organizations/main/stats_v2/?project=flood&field=sum(items)&groupBy=type&groupBy=outcome&statsPeriod=24h&interval=1h',
  )
  const accepted = stats.groups.find(({ by }) => by.type === 'event' && by.outcome === 'accepted')
  return accepted?.totals['sum(items)'] ?? 0
}

/** Returns the memory of each role in MiB, as the kernel counts it: now, or the peak since its start. */
async function memoryOf(measure: 'VmRSS' | 'VmHWM'): Promise<ReadonlyMap<string, number>> {
  const memory = new Map<string, number>()
  for (const [role, pid] of await product.rolePids()) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = new RegExp(`${measure}:\\s+(\\d+)`).exec(status)?.[1]
    memory.set(role, Math.round(Number(kilobytes ?? 0) / 1024))
  }
  return memory
}
