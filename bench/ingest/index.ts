/**
 * `node bench/ingest/index.ts` measures the rates of ingest and of processing, each beside the same
 * load against a bare `node:http` server in the same run; memory at idle, and disk per error event.
 * `--seconds 10` shortens the rounds, `--rounds 3` sets how often the two servers take turns (0:
 * never).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort, startProduct, type Product } from '../../e2e/support/product.ts'
import type { ApiStats } from '@afterimage/protocol/api'
import { until } from '../../e2e/support/until.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { openEvents } from '../../packages/server/src/storage/open.ts'
import { diskUse } from './disk-use.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import type { Mix } from './payloads.ts'
import { readEnv } from '../../packages/server/src/env.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '256' },
    'drain-seconds': { type: 'string', default: '60' },
    'drain-rate': { type: 'string', default: '2000' },
  },
})
const mixed: Mix = { error: 70, spans: 20, replay: 10 }
const errorsOnly: Mix = { error: 1, spans: 0, replay: 0 }
const warmUpSeconds = 2
let seed = 1

const memory = await measureIdleMemory()
if (Number(values.rounds) > 0) await measureAccepted()
await measureDrained()
console.log(`idle memory of all roles: ${memory} MB (goal <= 450)`)

async function measureIdleMemory(): Promise<number> {
  await using product = await startProduct()
  await fetch(`${product.url}/sign-in`).then((it) => it.text())
  let kilobytes = 0
  for (const pid of [product.pid, ...(await product.rolePids()).values()]) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  }
  return Math.round(kilobytes / 1024)
}

async function measureAccepted(): Promise<void> {
  const ratios: number[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const bare = await withBareServer((port) => loadWarm({ port, path: '/' }))
    await using product = await startProduct()
    const ours = await loadWarm({ port: portOf(product), path: await ingestPath(product) })
    const ratio = rate(ours) / rate(bare)
    ratios.push(ratio)
    console.log(
      `accepted: ${rate(ours).toFixed(0)}/s durable (p50 ${ours.p50} ms, p99 ${ours.p99} ms, refused ${ours.refused}), ` +
        `bare server ${rate(bare).toFixed(0)}/s (p50 ${bare.p50}, p99 ${bare.p99}): ratio ${ratio.toFixed(2)}`,
    )
  }
  console.log(`accepted, median ratio: ${median(ratios).toFixed(2)} (goal >= 0.5)`)
}

async function measureDrained(): Promise<void> {
  const seconds = Number(values['drain-seconds'])
  const perSecond = Number(values['drain-rate'])
  await using product = await startProduct()
  const path = await ingestPath(product)
  const result = await load({ port: portOf(product), path, perSecond, mix: errorsOnly, seconds })
  const drained = await queryable(product)
  console.log(
    `drained: ${(drained / result.seconds).toFixed(0)} error events/s queryable while ` +
      `${rate(result).toFixed(0)}/s were accepted for ${result.seconds.toFixed(0)} s (goal >= 1500)`,
  )
  await until(
    'everything is queryable',
    async () => (await queryable(product)) >= result.accepted,
    600_000,
  )
  const bytesPerEvent = result.bytes / result.accepted
  await product.stop()
  await seal(product)
  const disk = diskUse(product.dataDir)
  console.log(
    `disk: ${(disk / result.accepted / 1024).toFixed(2)} KB per error event of ${(bytesPerEvent / 1024).toFixed(1)} KB, ` +
      `all stores, after sealing (goal <= 2.5 per 8 KB)`,
  )
}

async function seal(product: Product): Promise<void> {
  const config = readConfig(readEnv({ AFTERIMAGE_DATA_DIR: product.dataDir }), process.cwd())
  const events = await openEvents(config, 'writer')
  await events.maintain(Date.now(), Number.MAX_SAFE_INTEGER)
  await events.close()
}

/** Error events that the store answers for: rows, counts and outcomes are of one transaction. */
async function queryable(product: Product): Promise<number> {
  const stats = await product.api<ApiStats>(
    'organizations/main/stats_v2/?field=sum(items)&groupBy=type&groupBy=outcome&statsPeriod=24h&interval=1h',
  )
  const accepted = stats.groups.find(({ by }) => by.type === 'event' && by.outcome === 'accepted')
  return accepted?.totals['sum(items)'] ?? 0
}

async function ingestPath(product: Product): Promise<string> {
  const project = await product.createProject('bench')
  const key = new URL(project.dsn).username
  const path = `/api/${project.id}/envelope/?sentry_key=${key}&sentry_version=7`
  const probe = (): Promise<Response> =>
    fetch(`${product.url}${path}`, { method: 'POST', body: '{}\n' })
  await until('ingest knows the key', async () => (await probe()).ok)
  return path
}

function portOf(product: Product): number {
  return Number(new URL(product.url).port)
}

async function withBareServer<T>(body: (port: number) => Promise<T>): Promise<T> {
  const port = await freePort()
  const script = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  try {
    return await body(port)
  } finally {
    child.kill()
  }
}

/** As many as the server answers, after a while in which its code and its memory become what they stay. */
async function loadWarm(target: Pick<LoadOptions, 'port' | 'path'>): Promise<LoadResult> {
  await load({ ...target, perSecond: 0, mix: mixed, seconds: warmUpSeconds })
  return load({ ...target, perSecond: 0, mix: mixed })
}

async function load(
  options: Pick<LoadOptions, 'port' | 'path' | 'perSecond' | 'mix'> & { readonly seconds?: number },
): Promise<LoadResult> {
  const script = fileURLToPath(new URL('./load.ts', import.meta.url))
  // As many as browsers would have open at such a rate; a group commit is made for them.
  const whole: LoadOptions = {
    connections: Number(values.connections),
    seconds: Number(values.seconds),
    seed: seed++,
    ...options,
  }
  const child = spawn(process.execPath, [script, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(child, 'exit')
  return JSON.parse(text) as LoadResult
}

function rate(result: LoadResult): number {
  return result.accepted / result.seconds
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
