import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer } from './support/sdk-server.ts'
import { bundleProject, snippetsOf, writeProject } from './support/snippets.ts'
import { until } from './support/until.ts'

/** The pages of `docs/sdk` that belong to no framework: their snippets run as they stand there. */

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server | RequestListener): Promise<string> {
  const started = typeof server === 'function' ? createServer(server) : server
  servers.push(started.listen(0, '127.0.0.1'))
  await new Promise((resolve) => started.once('listening', resolve))
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`
}

const dsn = 'https://0123456789abcdef0123456789abcdef@afterimage.example.com/1'
const getClientAddress = (): string => '127.0.0.1'

type Handler = (event: object) => Promise<Response>

function request(init: RequestInit): Request {
  return new Request('https://shop.test/monitoring', init)
}

function overHttp(address: string): (init: RequestInit) => Promise<Response> {
  return (init) => fetch(`${address}/monitoring`, init)
}

test('what the client can do: each call of the page arrives', async () => {
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

test('the tunnel, wherever an application runs', async () => {
  const upstream = await listen((_, response) =>
    response.writeHead(200, { 'x-sentry-rate-limits': '60:replay:key' }).end('{"id":"1"}'),
  )
  const snippets = snippetsOf('tunnel.md')
  const folder = writeProject('docs-tunnel', {
    ...snippets,
    'tunnel.js': (snippets['tunnel.js'] ?? '').replace(
      "server: 'https://afterimage.example.com'",
      `server: '${upstream}'`,
    ),
  })
  async function load<T>(file: string): Promise<T> {
    return (await import(pathToFileURL(join(folder, file)).href)) as T
  }
  const { POST } = await load<{ POST: Handler }>('src/routes/monitoring/+server.js')
  const { action } = await load<{ action: Handler }>('app/routes/monitoring.js')
  const hono = await load<{ app: { request: typeof fetch } }>('hono.js')
  const express = await load<{ app: RequestListener }>('express.js')
  const node = await load<{ server: Server }>('node.js')
  for (const [name, send] of Object.entries({
    svelteKit: (init: RequestInit) => POST({ request: request(init), getClientAddress }),
    remix: (init: RequestInit) => action({ request: request(init) }),
    hono: (init: RequestInit) => hono.app.request('/monitoring', init),
    express: overHttp(await listen(express.app)),
    node: overHttp(await listen(node.server)),
  })) {
    const good = await send({
      method: 'POST',
      body: `${JSON.stringify({ dsn })}\n{"type":"event"}\n{}`,
    })
    expect([good.status, await good.text()], name).toEqual([200, '{"id":"1"}'])
    expect(good.headers.get('x-sentry-rate-limits'), name).toBe('60:replay:key')
    const other = await send({ method: 'POST', body: `${JSON.stringify({ dsn: `${dsn}7` })}\n` })
    expect(other.status, name).toBe(403)
  }
})
