import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiServerStatus, ApiStats } from '@afterimage/protocol/api'
import { sharedFolder } from '../tools/shared-folder.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { until } from './support/until.ts'

/**
 * Payloads of many languages and years, sent to the started product: each is answered and has its
 * outcome, and none of the failures is ours.
 */

const folder = sharedFolder('fixtures')
let product: Product
let project: Project

beforeAll(async () => {
  if (folder === null) return
  product = await startProduct()
  project = await product.createProject('fixtures')
  await until('ingest knows the key', async () => (await post('envelope', Buffer.from('{}\n'))).ok)
})

afterAll(async () => {
  await product?.stop()
  await product?.remove()
})

function post(endpoint: 'envelope' | 'store' | 'security', body: Buffer): Promise<Response> {
  const key = new URL(project.dsn).username
  const url = `${product.url}/api/${project.id}/${endpoint}/?sentry_key=${key}&sentry_version=7`
  const headers = { 'content-type': endpoint === 'security' ? 'application/json' : 'text/plain' }
  return fetch(url, { method: 'POST', body: new Uint8Array(body), headers })
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}

test('every payload of the fixtures is ingested with no failure that is ours', async (context) => {
  if (folder === null) return context.skip('not run: the fixtures are not beside this checkout')
  const answers = new Map<string, number>()
  for (const file of filesBelow(folder)) {
    const endpoint = endpointOf(relative(folder, file))
    if (endpoint === null) continue
    const body = readFileSync(file)
    // The recordings name the servers they were recorded on: here the key in the address decides.
    const response = await post(endpoint, endpoint === 'envelope' ? withoutDsn(body) : body)
    answers.set(relative(folder, file), response.status)
    await response.arrayBuffer()
  }
  expect(answers.size).toBeGreaterThan(200)
  expect([...answers].filter(([, status]) => status >= 500)).toEqual([])
  const accepted = [...answers.values()].filter((status) => status === 200).length
  expect(accepted).toBeGreaterThan(answers.size * 0.8)

  await until('the queue is empty', async () => {
    const status = await product.api<ApiServerStatus>('organizations/main/status/')
    return status.queue.waiting === 0
  })
  const status = await product.api<ApiServerStatus>('organizations/main/status/')
  expect(status.queue.setAside).toBe(0)
  const stats = await product.api<ApiStats>(
    'organizations/main/stats_v2/?field=sum(items)&groupBy=outcome&groupBy=reason&statsPeriod=24h&interval=1d',
  )
  expect(stats.groups.filter((group) => group.by.reason === 'internal')).toEqual([])
  const accept = stats.groups.find((group) => group.by.outcome === 'accepted')
  expect(accept?.totals['sum(items)']).toBeGreaterThan(150)
})

function endpointOf(path: string): 'envelope' | 'store' | 'security' | null {
  if (path.endsWith('.envelope') || /^spotlight-fixtures\/.*\.(txt|bin)$/.test(path))
    return 'envelope'
  if (/security_report\/.*input\.json$/.test(path)) return 'security'
  if (/^(bugsink-event-samples|glitchtip-test-data)\/.*\.json$/.test(path)) return 'store'
  if (/^relay-2021\/.*\/payloads\/.*\.json$/.test(path)) return 'store'
  return null
}

function withoutDsn(body: Buffer): Buffer {
  const end = body.indexOf(10)
  if (end === -1) return body
  try {
    const header = JSON.parse(body.subarray(0, end).toString()) as Record<string, unknown>
    delete header.dsn
    return Buffer.concat([Buffer.from(JSON.stringify(header)), body.subarray(end)])
  } catch {
    return body
  }
}
