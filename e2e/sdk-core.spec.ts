import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Our client in real Chromium, against a server that reads envelopes with the protocol package. */

const key = 'a'.repeat(32)
const setUp = `
import * as afterimage from '@afterimage/browser'
window.afterimage = afterimage
`
const standard = `${setUp}
afterimage.init({ dsn: 'https://${key}@errors.test/42', release: 'shop@1', environment: 'test' })
`

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startSdkServer({
    standard: {
      script: standard,
      html: '<button id="boom" onclick="setTimeout(() => { throw new TypeError(\'paid twice\') })">Pay</button>',
    },
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

beforeEach(() => server.clear())

test('S7 an uncaught error reaches the tunnel of the page: organisation, then project, and no key', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/standard`)
  await page.click('#boom')
  const envelope = await until('an envelope came', () => server.envelopes[0])
  expect(envelope.path).toBe('/monitoring?o=1&p=42')
  expect(envelope.header.dsn).toBe(`https://${key}@errors.test/42`)
  expect(server.refused).toEqual([])
  expect(server.items('event')).toMatchObject([
    {
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'paid twice',
            mechanism: { type: 'onerror', handled: false },
          },
        ],
      },
      breadcrumbs: [{ category: 'ui.click', message: 'body > button#boom' }],
      release: 'shop@1',
      environment: 'test',
      request: { url: `${server.url}/standard` },
    },
  ])
  await page.close()
})
