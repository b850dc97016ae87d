import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { startMcpClient, type McpClient } from './support/mcp-client.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { until } from './support/until.ts'

/** Sentry's MCP server, unmodified from npm (`e2e/api-clients`), against the started product. */

let product: Product
let project: Project
let client: McpClient

const traceId = randomUUID().replaceAll('-', '')
const [pageId, queryId] = ['00000000000000a1', '00000000000000a2']

beforeAll(async () => {
  product = await startProduct()
  project = await product.createProject('shop', { platform: 'javascript' })
  const seconds = Date.now() / 1000
  await send('event', {
    timestamp: seconds,
    platform: 'javascript',
    release: 'shop@1.2.0',
    transaction: '/cart',
    contexts: { trace: { trace_id: traceId, span_id: pageId } },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'x is undefined',
          stacktrace: {
            frames: [
              { filename: 'https://shop.test/app.js', function: 'pay', lineno: 3, colno: 7 },
            ],
          },
        },
      ],
    },
  })
  await send('transaction', {
    timestamp: seconds,
    start_timestamp: seconds - 1,
    platform: 'javascript',
    transaction: '/cart',
    contexts: { trace: { trace_id: traceId, span_id: pageId, op: 'pageload' } },
    spans: [
      {
        span_id: queryId,
        parent_span_id: pageId,
        trace_id: traceId,
        op: 'db',
        description: 'select lines',
        start_timestamp: seconds - 0.9,
        timestamp: seconds - 0.5,
      },
    ],
  })
  await until('the error and its trace are there', async () => {
    const issues = await product.api<ApiIssue[]>('projects/main/shop/issues/')
    const answer = await fetch(`${product.url}/api/0/organizations/main/traces/${traceId}/`, {
      headers: { authorization: `Bearer ${product.token}` },
    })
    const trace = answer.ok ? ((await answer.json()) as { span_count: number }) : null
    return issues.length === 1 && trace?.span_count === 2
  })
  client = await startMcpClient(product)
})

afterAll(async () => {
  await client?.close()
  await product?.[Symbol.asyncDispose]()
})

async function send(type: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
  const { protocol, host, pathname, username } = new URL(project.dsn)
  const eventId = randomUUID().replaceAll('-', '')
  const body = [
    JSON.stringify({ event_id: eventId, sent_at: new Date().toISOString() }),
    JSON.stringify({ type }),
    JSON.stringify({ event_id: eventId, type, ...payload }),
  ].join('\n')
  const path = `/api${pathname}/envelope/?sentry_key=${username}`
  const answer = await fetch(`${protocol}//${host}${path}`, { method: 'POST', body })
  expect(answer.status).toBe(200)
}

function search(parameters: Readonly<Record<string, unknown>>): Promise<string> {
  return client.call('search_events', { period: '24h', ...parameters })
}

test('organisations, projects, issues and traces are found and read', async () => {
  expect(await client.call('find_organizations')).toContain('"slug": "main"')
  expect(await client.call('find_projects')).toContain('"slug": "shop"')
  const found = await client.call('search_issues', { query: 'is:unresolved error.type:TypeError' })
  expect(found).toContain('[SHOP-1]')
  const issue = await client.call('get_sentry_resource', {
    resourceType: 'issue',
    resourceId: 'SHOP-1',
  })
  expect(issue).toContain('TypeError: x is undefined')
  expect(issue).toContain('app.js:3:7 (pay)')
  const trace = await client.call('get_sentry_resource', {
    resourceType: 'trace',
    resourceId: traceId,
  })
  expect(trace).toContain('select lines')
})

test('events are searched for in each dataset', async () => {
  expect(await search({ dataset: 'errors', query: 'level:error' })).toContain('x is undefined')
  const counted = await search({
    dataset: 'errors',
    fields: ['issue', 'count()'],
    sort: '-count()',
  })
  expect(counted).toContain('SHOP-1')
  const query = { dataset: 'spans', query: 'span.op:db', sort: '-span.duration' }
  expect(await search(query)).toContain('select lines')
  expect(await search({ dataset: 'logs', query: '' })).toMatch(/no results/i)
})

test('an issue is resolved', async () => {
  const answer = await client.call('update_issue', { issueId: 'SHOP-1', status: 'resolved' })
  expect(answer).toContain('**resolved**')
  expect(await product.api<ApiIssue>('issues/SHOP-1/')).toMatchObject({ status: 'resolved' })
})
