import { once } from 'node:events'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiSpan, ApiTrace, ApiTraceSummary } from '@afterimage/protocol/api/trace'
import { launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'
import { startSdkScript } from './support/sdk-script.ts'
import { startSdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** A page of ours and a server with another SDK behind the same host: one trace of both. */

let product: Product
let browser: Browser
/** The console, signed in. */
let reader: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  reader = await browser.newPage()
  await signIn(reader, product.url)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

const servers = [
  {
    name: 'OpenTelemetry, by traceparent',
    slug: 'open-telemetry',
    parameters: ['servers/open-telemetry.js'],
    environment: {},
    path: '/api/orders',
    route: 'GET /api/orders',
  },
  {
    name: '@sentry/node 11, by sentry-trace and baggage',
    slug: 'sentry-node',
    parameters: ['--import', './servers/instrument.js', 'servers/express.js'],
    environment: { SDK: 'sentry-node-11', LABEL: 'one-trace' },
    path: '/orders/7',
    route: 'GET /orders/:id',
  },
]

test.each(servers)('a page and a server with $name are one trace', async (given) => {
  const { slug, parameters, environment, path, route } = given
  const { dsn } = await product.createProject(slug)
  const orders = await startSdkScript(parameters, { ...environment, DSN: dsn })
  const script = `
    import { init } from '@afterimage/browser'
    import { browserTracing } from '@afterimage/browser/tracing'
    const tracing = browserTracing({ propagateTraceparent: true })
    init({ dsn: '${dsn}', tunnel: false, integrations: [tracing] })
    fetch('${path}')`
  const pages = await startSdkServer({ [slug]: { script } })
  const page = await browser.newPage()
  // As a front door does it, which passes requests of one host on.
  await page.route(`${pages.url}${path}`, (it) => it.continue({ url: orders.url + path }))
  try {
    const answer = page.waitForResponse((it) => it.url().endsWith(path), { timeout: 10_000 })
    await page.goto(`${pages.url}/${slug}`)
    expect((await answer).status()).toBe(200)
    const gone = once(orders.child, 'exit')
    orders.child.kill('SIGTERM')
    await gone
    const { spans, trace_id: traceId } = await until('the trace has both halves', async () => {
      const { data } = await product.api<{ data: ApiTraceSummary[] }>('organizations/main/traces/')
      const found = data.find((it) => it.project_slug === slug && it.op === 'pageload')
      if (found === undefined) return null
      const trace = await product.api<ApiTrace>(`organizations/main/traces/${found.trace_id}/`)
      return spansOf(trace.spans).some(({ op }) => op === 'http.server') ? trace : null
    })
    expect(spans).toHaveLength(1)
    expect(spans[0]).toMatchObject({ op: 'pageload', name: `/${slug}` })
    const request = spans[0]?.children.find(({ op }) => op === 'http.client')
    expect(request?.children).toMatchObject([{ op: 'http.server', name: route, status: 'ok' }])
    await reader.goto(`${product.url}/traces/${traceId}`)
    const shown = reader.getByRole('list', { name: 'Spans' }).getByRole('listitem')
    await shown.filter({ hasText: 'http.server' }).filter({ hasText: route }).waitFor()
  } finally {
    orders.child.kill()
    await page.close()
    await pages.close()
  }
})

/** Returns spans with all below them. */
function spansOf(spans: readonly ApiSpan[]): ApiSpan[] {
  return spans.flatMap((span) => [span, ...spansOf(span.children)])
}
