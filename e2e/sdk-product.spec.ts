import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiEvent, ApiIssue, ApiTrace } from '@afterimage/protocol/api'
import { launchBrowser } from './support/browser.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Our client against the started product: a report of a page is an issue in the API. */

declare const afterimage: typeof import('@afterimage/browser')
declare const shift: () => void
declare const show: (state: 'hidden' | 'visible') => void

let product: Product
let project: Project
let server: SdkServer
let browser: Browser

beforeAll(async () => {
  product = await startProduct()
  project = await product.createProject('shop', { platform: 'javascript' })
  server = await startSdkServer({
    shop: {
      html: `<button id="pay" onclick="setTimeout(() => { throw new TypeError('paid twice') })">Pay</button>`,
      script: `import * as afterimage from '@afterimage/browser'
        globalThis.afterimage = afterimage
        const dsn = new URLSearchParams(location.search).get('dsn')
        const tunnel = !location.search.includes('direct')
        afterimage.init({ dsn, tunnel, release: 'shop@1', environment: 'journey' })`,
    },
    extras: {
      script: `import * as afterimage from '@afterimage/browser'
        import { featureFlags } from '@afterimage/browser/feature-flags'
        import { logger, logsIntegration } from '@afterimage/browser/logger'
        import { metrics, metricsIntegration } from '@afterimage/browser/metrics'
        const dsn = new URLSearchParams(location.search).get('dsn')
        const flags = featureFlags()
        const integrations = [flags, logsIntegration(), metricsIntegration()]
        afterimage.init({ dsn, release: 'shop@2', environment: 'journey', integrations })
        for (let at = 0; at <= 100; at += 1) flags.addFeatureFlag('a-flag-of-the-shop-' + at, at > 50)
        afterimage.setUser({ id: 'u-2' })
        logger.warn(logger.fmt\`\${2} lamps are left\`, { shop: 'north' })
        metrics.distribution('paying', 187.5, { unit: 'millisecond', attributes: { shop: 'north' } })
        afterimage.captureMessage('with flags')`,
    },
    vitals: {
      html: '<h1>Shop</h1><button id="slow">Pay</button><p>Words below</p>',
      script: `import * as afterimage from '@afterimage/browser'
        import { browserTracing } from '@afterimage/browser/tracing'
        const dsn = new URLSearchParams(location.search).get('dsn')
        afterimage.init({ dsn, integrations: [browserTracing({ idleTimeoutMs: 100 })] })
        const button = document.querySelector('#slow')
        let busyMs = 60
        // Each click takes longer than the one before, and pushes the page further down.
        button.onclick = () => {
          const until = performance.now() + (busyMs *= 2)
          while (performance.now() < until);
        }
        let height = 40
        globalThis.shift = () => { document.querySelector('h1').style.marginTop = (height *= 2) + 'px' }
        globalThis.show = (value) => {
          Object.defineProperty(document, 'visibilityState', { value, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))
        }`,
    },
  })
  server.forwardTo = product.url
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await product?.stop()
  await product?.remove()
})

async function issue(title: string): Promise<ApiIssue> {
  return until(`an issue ${title}`, async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?statsPeriod=24h')
    return issues.find((it) => it.title === title)
  })
}

test('S7 through the tunnel an uncaught error becomes an issue, with its steps', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/shop?dsn=${encodeURIComponent(project.dsn)}`)
  await page.evaluate(() => afterimage.setUser({ id: 'u-1' }))
  await page.click('#pay')
  const found = await issue('TypeError: paid twice')
  expect(found).toMatchObject({ isUnhandled: true, count: '1', userCount: 1 })
  const event = await product.api<ApiEvent>(`issues/${found.id}/events/latest/`)
  expect(event.release?.version).toBe('shop@1')
  expect(event.user?.id).toBe('u-1')
  expect(event.sdk?.name).toBe('afterimage.javascript.browser')
  expect(JSON.stringify(event.entries)).toContain('body > button#pay')
  await page.close()
})

test('directly to the DSN it arrives as well, and feedback with it', async () => {
  const page = await browser.newPage()
  const dsn = project.dsn.replace('localhost', '127.0.0.1')
  await page.goto(`${server.url}/shop?direct&dsn=${encodeURIComponent(dsn)}`)
  const id = await page.evaluate(() =>
    afterimage.captureException(new RangeError('straight there', { cause: new Error('root') })),
  )
  await page.evaluate(() => afterimage.captureFeedback({ message: 'The total is wrong' }))
  expect(await page.evaluate(() => afterimage.flush(5000))).toBe(true)
  const found = await issue('RangeError: straight there')
  const event = await product.api<ApiEvent>(`issues/${found.id}/events/latest/`)
  expect(event.eventID).toBe(id)
  expect(found).toMatchObject({ isUnhandled: false })
  const words = await until('the words', async () => {
    const feedback = await product.api<object[]>('projects/main/shop/user-feedback/')
    return feedback[0]
  })
  expect(JSON.stringify(words)).toContain('The total is wrong')
  expect(server.refused).toEqual([])
  await page.close()
})

test('logs, metrics and feature flags of a page are stored, and answered by the API', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/extras?dsn=${encodeURIComponent(project.dsn)}`)
  await page.goto('about:blank')
  const stored = (table: string, query: string) =>
    until(`the ${table}`, async () => {
      const path = `organizations/main/${table}/?query=${encodeURIComponent(query)}`
      const { data } = await product.api<{ readonly data: readonly object[] }>(path)
      return data[0]
    })
  expect(await stored('logs', 'level:warn')).toMatchObject({
    body: '2 lamps are left',
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    attributes: {
      shop: 'north',
      'user.id': 'u-2',
      'sentry.release': 'shop@2',
      'sentry.message.template': '%s lamps are left',
      'sentry.message.parameter.0': 2,
    },
  })
  expect(await stored('metrics', '')).toMatchObject({
    name: 'paying',
    type: 'distribution',
    value: 187.5,
    unit: 'millisecond',
    attributes: { shop: 'north', 'sentry.environment': 'journey' },
  })
  const { id } = await issue('with flags')
  const { contexts } = await product.api<ApiEvent>(`issues/${id}/events/latest/`)
  const { values } = contexts['flags'] as { values: readonly object[] }
  expect(values).toHaveLength(100)
  expect(values.at(-1)).toEqual({ flag: 'a-flag-of-the-shop-100', result: true })
  await page.close()
})

interface LateVital {
  readonly trace_id: string
  readonly span_id: string
  readonly measurements: Readonly<Record<string, { readonly value: number }>>
}

test('a layout shift and a slow click after the page was hidden count: the later values reach the API', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/vitals?dsn=${encodeURIComponent(project.dsn)}`)
  const sent = (name: string): LateVital[] =>
    server.items<LateVital>('span').filter(({ measurements }) => measurements[name])
  await until('the page load was sent', () => server.items('transaction').length > 0)
  for (const count of [1, 2]) {
    await page.click('#slow')
    // A shift soon after input would not count; paints are measured a frame later.
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          setTimeout(() => {
            shift()
            requestAnimationFrame(() => setTimeout(resolve, 100))
          }, 600)
        }),
    )
    await page.evaluate(() => show('hidden'))
    await until('what was measured is sent', () =>
      ['cls', 'inp'].every((name) => sent(name).length === count),
    )
    await page.evaluate(() => show('visible'))
  }
  const last = (name: string): number => sent(name)[1]!.measurements[name]!.value
  for (const name of ['cls', 'inp']) {
    expect(last(name)).toBeGreaterThan(sent(name)[0]!.measurements[name]!.value)
    expect(sent(name)[1]!.span_id).toBe(sent(name)[0]!.span_id)
  }
  const trace = await until('the later values', async () => {
    const found = await product.api<ApiTrace>(
      `organizations/main/traces/${sent('cls')[0]!.trace_id}/`,
    )
    const isLater = ['cls', 'inp'].every((name) =>
      found.vitals.some((it) => it.name === name && it.value === last(name)),
    )
    return isLater ? found : null
  })
  expect(trace.vitals.filter(({ name }) => name === 'cls' || name === 'inp')).toHaveLength(2)
  await page.close()
})
