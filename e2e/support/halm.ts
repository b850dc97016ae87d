import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { buildShop, shopFolder } from '../../examples/shop/build.ts'
import { freePort } from './product.ts'
import { until } from './until.ts'

/** Key and project are part of the shop's build; whichever server it reports to, they are the same. */
export const shopKey = '5'.repeat(32)
export const shopProject = '4242'
export const shopDsn = `http://${shopKey}@localhost:9000/${shopProject}`

export interface Halm {
  readonly url: string
  /** Items that the shop and its pages have handed on to the server, in order of arrival. */
  readonly sent: readonly SentItem[]
  /** Everything it has printed so far. */
  output(): string
  [Symbol.asyncDispose](): Promise<void>
}

/** An item on its way from the shop to the server. */
export interface SentItem {
  readonly type: string
  /** The payload as JSON; null when it is not valid JSON. */
  readonly json: Record<string, unknown> | null
}

const builds: Partial<Record<'scan' | '', Promise<string>>> = {}

/** Builds the example shop where it is not built; once in a run, whatever changes meanwhile. */
export function buildHalm(routes: 'scan' | ''): Promise<string> {
  return (builds[routes] ??= buildShop({ dsn: shopDsn, routes }))
}

/** Serves the example shop; its tunnel leads to `server`. */
export async function startHalm(server: string, routes: 'scan' | '' = ''): Promise<Halm> {
  const build = await buildHalm(routes)
  const relay = await startRelay(server)
  const port = await freePort()
  const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
  const child = spawn(process.execPath, [next, 'start', '-p', String(port)], {
    cwd: shopFolder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      SHOP_BUILD: build,
      AFTERIMAGE_DSN: shopDsn,
      AFTERIMAGE_SERVER: relay.url,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  await until('the shop is ready', () => {
    if (child.exitCode !== null) throw new Error(`The shop ended:\n${output}`)
    return output.includes('Ready in')
  })
  return {
    url: `http://localhost:${port}`,
    sent: relay.items,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      await stop(child)
      relay.close()
    },
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

interface Relay {
  readonly url: string
  readonly items: readonly SentItem[]
  close(): void
}

/** Stands between the shop and the server, and reads what passes: also what pages send as they go. */
async function startRelay(to: string): Promise<Relay> {
  const items: SentItem[] = []
  const server = createServer((request, response) => {
    const { url = '/', headers } = request
    // A page that leaves may take its request with it.
    const whole = buffer(request).catch(() => null)
    void whole.then(async (bytes) => {
      if (bytes === null) return
      const envelope = decodeEnvelope(bytes)
      if (isRefusal(envelope)) throw new Error(`The shop sent no envelope: ${envelope.detail}`)
      for (const { header, payload } of envelope.items) {
        items.push({ type: header.type, json: readJson(Buffer.from(payload).toString('utf8')) })
      }
      const answer = await fetch(to + url, {
        method: 'POST',
        body: bytes,
        headers: {
          'content-type': 'application/x-sentry-envelope',
          'user-agent': headers['user-agent'] ?? '',
          'x-sentry-auth': String(headers['x-sentry-auth']),
        },
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      return response.end(await answer.text())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    items,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
