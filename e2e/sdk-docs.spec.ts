import { expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer } from './support/sdk-server.ts'
import { bundleProject, snippetsOf, writeProject } from './support/snippets.ts'
import { until } from './support/until.ts'

/** The page of calls in `docs/sdk`: its snippets run as they stand there. */

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
    const spans = await until('the page load', () => server.items('transaction')[0]?.['spans'])
    expect(spans).toContainEqual(
      expect.objectContaining({ description: 'pay', op: 'checkout', status: 'internal_error' }),
    )
  } finally {
    await browser.close()
    await server.close()
  }
})
