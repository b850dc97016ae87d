import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
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
  /** Everything it has printed so far. */
  output(): string
  close(): Promise<void>
}

/** Builds the example shop, where it is not built, and serves it; its tunnel leads to `server`. */
export async function startHalm(server: string, routes: 'scan' | '' = ''): Promise<Halm> {
  const build = await buildShop({ dsn: shopDsn, routes })
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
      AFTERIMAGE_SERVER: server,
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
  return { url: `http://localhost:${port}`, output: () => output, close: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** An item that a page posted to its tunnel. */
export interface SentItem {
  readonly type: string
  /** The payload as JSON; null when it is none. */
  readonly json: Record<string, unknown> | null
}

/** What a page posts to its tunnel from now on, in the order it was sent. */
export function watchTunnel(page: Page): SentItem[] {
  const items: SentItem[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/monitoring') return
    const bytes = request.postDataBuffer()
    const envelope = bytes === null ? null : decodeEnvelope(bytes)
    if (envelope === null || isRefusal(envelope)) return
    for (const { header, payload } of envelope.items) {
      items.push({ type: header.type, json: readJson(Buffer.from(payload).toString('utf8')) })
    }
  })
  return items
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
