import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiCheckIn, ApiEvent, ApiIssue, ApiMonitor, ApiTrace } from '@afterimage/protocol/api'
import { startProduct, type Product, type Project } from './support/product.ts'
import { startSdkScript, type SdkScript } from './support/sdk-script.ts'
import { until } from './support/until.ts'

/** The official Node SDKs in a real express server against the started product. */

let product: Product

beforeAll(async () => {
  product = await startProduct()
})

afterAll(async () => {
  await product?.stop()
  await product?.remove()
})

function startOrders(project: Project, sdk: string, label: string): Promise<SdkScript> {
  const parameters = ['--import', './servers/instrument.js', 'servers/express.js']
  return startSdkScript(parameters, { SDK: sdk, LABEL: label, DSN: project.dsn })
}

for (const major of [9, 11] as const) {
  test(`@sentry/node ${major}: an express error, its trace, and a cron`, async () => {
    const label = `node${major}`
    // A project for each SDK: the same error from two majors is rightly one issue.
    const project = await product.createProject(label, { platform: 'node' })
    const orders = await startOrders(project, `sentry-node-${major}`, label)
    await fetch(`${orders.url}/orders/7`)
    await fetch(`${orders.url}/broken/9`)
    await fetch(`${orders.url}/nightly`)
    const gone = once(orders.child, 'exit')
    orders.child.kill('SIGTERM')
    await gone

    const issue = await until('the issue is there', async () => {
      const issues = await product.api<ApiIssue[]>(
        `projects/main/${label}/issues/?statsPeriod=24h&query=`,
      )
      return issues.find((it) => it.title === `TypeError: order ${label} has no lines`)
    })
    expect(issue).toMatchObject({ count: '1', level: 'error' })
    const event = await product.api<ApiEvent>(`issues/${issue.id}/events/latest/`)
    expect(event.release?.version).toBe('orders@2.0.0')
    const exception = JSON.stringify(event.entries.find((entry) => entry.type === 'exception'))
    expect(exception).toContain('express.js')

    const trace = await until('the trace has its request', async () => {
      const answer = await product.api<ApiTrace>(`organizations/main/traces/${event.traceId}/`)
      return answer.spans.some((span) => span.op === 'http.server') ? answer : null
    })
    expect(trace.spans[0]?.transaction).toBe('GET /broken/:id')

    const rows = await product.apiAll<{ transaction: string; op: string }>(
      `organizations/main/transactions/?statsPeriod=24h&project=${project.id}`,
    )
    expect(rows.map((row) => row.transaction)).toContain('GET /orders/:id')

    const monitors = await product.api<ApiMonitor[]>('organizations/main/monitors/')
    expect(monitors.map((monitor) => monitor.slug)).toContain(`nightly-${label}`)
    const checkIns = await product.api<ApiCheckIn[]>(
      `organizations/main/monitors/nightly-${label}/checkins/`,
    )
    expect(checkIns).toHaveLength(1)
    expect(checkIns[0]).toMatchObject({ status: 'ok' })
  })
}
