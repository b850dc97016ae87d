import { expect, test } from 'vitest'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer } from './support/sdk-server.ts'
import { bundleProject, snippetsOf, writeProject } from './support/snippets.ts'
import { until } from './support/until.ts'

/** The pages of calls in `docs/sdk`: their snippets run as they stand there. */

test('each call of the documented page arrives', async () => {
  const folder = writeProject('docs-api', snippetsOf('api.md'))
  const body = await bundleProject(folder, 'src/main.js')
  const server = await startSdkServer(
    { api: { html: '<button>Pay</button><script src="/main.js"></script>' } },
    { '/main.js': { type: 'text/javascript', body } },
  )
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${server.url}/api`)
    await page.click('button')
    const [error, message] = await until('the error and the message', () => {
      const events = server.items('event')
      return events.length === 2 ? events : null
    })
    expect(error).toMatchObject({
      level: 'warning',
      tags: { plan: 'pro', step: 'pay' },
      user: { id: 'u-17' },
      contexts: { cart: { lines: 3 } },
      exception: { values: [{ value: 'the card was declined' }] },
    })
    expect(JSON.stringify(error?.['breadcrumbs'])).toContain('a lamp was added')
    expect(message).toMatchObject({ level: 'debug' })
    expect(server.items('feedback')).toMatchObject([
      { contexts: { feedback: { associated_event_id: error?.['event_id'] } } },
    ])
    await page.goto('about:blank')
    // A child of the page load, or a transaction of its own where that had ended.
    const pay = await until('the span', () =>
      server
        .items<SdkEvent>('transaction')
        .flatMap(({ transaction, contexts, spans = [] }) => [
          { description: transaction, ...contexts?.['trace'] },
          ...(spans as readonly { readonly description?: string }[]),
        ])
        .find(({ description }) => description === 'pay'),
    )
    expect(pay).toMatchObject({ op: 'checkout', status: 'internal_error' })
  } finally {
    await browser.close()
    await server.close()
  }
})

test('each optional integration of the documented page does what it says', async () => {
  const folder = writeProject('docs-integrations', snippetsOf('integrations.md'))
  const script = async (entry: string) => ({
    type: 'text/javascript',
    body: await bundleProject(folder, entry),
  })
  const server = await startSdkServer(
    { shop: { html: '<script src="/main.js"></script>' } },
    { '/main.js': await script('src/main.js'), '/worker.js': await script('src/worker.js') },
  )
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    // The documented page reports failures below `/api/`.
    await page.route('**/api/stock', (route) => route.fulfill({ status: 503, body: 'no' }))
    await page.goto(`${server.url}/shop`)
    const events = await until('four events', () => {
      const found = server.items<SdkEvent>('event')
      return found.length === 4 ? found : null
    })
    // Each report is a request of its own, and may overtake others.
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          message: 'the price is missing [object Object]',
          logger: 'console',
          extra: { arguments: ['the price is missing', { article: 'lamp' }] },
        }),
      ]),
    )
    const thrown = (type: string) =>
      events.find(({ exception }) => exception?.values.at(-1)?.type === type)
    expect(thrown('HttpClientError')).toMatchObject({
      request: { url: `${server.url}/api/stock`, method: 'GET' },
      contexts: { response: { status_code: 503 } },
    })
    expect(thrown('Error')).toMatchObject({
      contexts: {
        Error: { code: 402, order: { id: 'o-17' } },
        flags: { values: [{ flag: 'new-cart', result: true }] },
      },
    })
    const frames = thrown('Error')?.exception?.values[0]?.stacktrace?.frames
    expect(frames?.at(-1)?.filename).toBe('app:///main.js')
    expect(thrown('RangeError')).toMatchObject({ contexts: { worker: {} } })
    expect(events.some(({ tags }) => tags?.['third_party_code'])).toBe(false)
    await page.goto('about:blank')
    const [logs, metrics] = await until('what the page had gathered', () => {
      const found = [...server.items('log'), ...server.items('trace_metric')]
      return found.length === 2 ? found : null
    })
    expect(logs).toMatchObject({
      items: [
        { level: 'info', body: 'the cart was opened', attributes: { lines: { value: 3 } } },
        { level: 'warn', body: '2 of lamp are left' },
      ],
    })
    expect(metrics).toMatchObject({
      items: [
        { type: 'counter', name: 'cart.opened', value: 1 },
        { type: 'gauge', name: 'cart.lines', value: 3 },
        { type: 'distribution', name: 'cart.opening', unit: 'millisecond', value: 187.5 },
      ],
    })
  } finally {
    await browser.close()
    await server.close()
  }
})

const pageOf = (name: string) => ({
  html: `<button id="agree">Agree</button><button id="object">Object</button>
    <script src="/${name}.js"></script>`,
})

test('settings and consent work as their page says', async () => {
  const folder = writeProject('docs-settings', snippetsOf('remote-settings.md'))
  const names = ['main', 'consent', 'consent-to-recording']
  const scripts = await Promise.all(
    names.map(async (name) => {
      const body = await bundleProject(folder, `src/${name}.js`)
      return [`/${name}.js`, { type: 'text/javascript', body }] as const
    }),
  )
  const server = await startSdkServer(
    Object.fromEntries(names.map((name) => [`page-${name}`, pageOf(name)])),
    Object.fromEntries(scripts),
  )
  server.settings = '{"ignoreErrors":["ignored"]}'
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const fail = (text: string) =>
      page.evaluate((it) => void setTimeout(() => reportError(new Error(it))), text)
    const reported = () =>
      server.items<SdkEvent>('event').map(({ exception }) => exception?.values.at(-1)?.value)
    await page.goto(`${server.url}/page-main`)
    await page.waitForFunction(() => localStorage.getItem('afterimageSettings') !== null)
    await fail('ignored')
    await fail('first')
    await until('the first error', () => reported().length === 1)
    await page.goto(`${server.url}/page-consent`)
    await fail('before consent')
    await page.click('#agree')
    await fail('with consent')
    await until('the second error', () => reported().length === 2)
    await page.click('#object')
    await fail('against the will')
    await page.goto(`${server.url}/page-consent-to-recording`)
    await fail('without consent')
    await until('the third error', () => reported().length === 3)
    const hasSession = () =>
      page.evaluate(() => sessionStorage.getItem('afterimageReplay') !== null)
    expect(await hasSession()).toBe(false)
    await page.click('#agree')
    await until('the recorder runs', hasSession)
    expect(reported()).toEqual(['first', 'with consent', 'without consent'])
  } finally {
    await browser.close()
    await server.close()
  }
})
