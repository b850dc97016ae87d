import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Engine, Tab } from './engine.ts'
import { freePort } from './product.ts'
import { until } from './until.ts'

/** The name by which WebDriver answers with an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** WebKitGTK's small browser, driven by its own driver, on a screen that nobody sees. */
export async function startWebKit(driver: string, xvfb: string): Promise<Engine> {
  const screen = await startScreen(xvfb)
  const port = await freePort()
  const server = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: screen.display, GDK_BACKEND: 'x11' },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  try {
    await until('the driver answers', () => command(url, 'GET', '/status'))
    const { sessionId } = await command<{ sessionId: string }>(url, 'POST', '/session', {
      capabilities: {},
    })
    return await engineOf(
      (method, path, body) => command(url, method, `/session/${sessionId}${path}`, body),
      () => endAll([server, screen.process]),
    )
  } catch (error) {
    await endAll([server, screen.process])
    throw error
  }
}

type Send = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>

async function engineOf(session: Send, stop: () => Promise<void>): Promise<Engine> {
  // The session ends with its last window: the first one stays.
  const first = await session<string>('GET', '/window')
  return {
    async openTab() {
      const { handle } = await session<{ handle: string }>('POST', '/window/new', {
        type: 'window',
      })
      await session('POST', '/window', { handle })
      return tabOf(session, first)
    },
    async close() {
      await session('DELETE', '')
      await stop()
    },
  }
}

function tabOf(session: Send, first: string): Tab {
  async function element(selector: string): Promise<string> {
    const found = await session<Record<string, string>>('POST', '/element', {
      using: 'css selector',
      value: selector,
    })
    return `/element/${found[elementKey]}`
  }
  return {
    goto: (url) => session('POST', '/url', { url }),
    evaluate: (run: (given: never) => unknown, given?: unknown) =>
      session('POST', '/execute/sync', {
        script: `return (${run})(...arguments)`,
        args: [given ?? null],
      }),
    click: async (selector) => session('POST', `${await element(selector)}/click`, {}),
    type: async (selector, text) => session('POST', `${await element(selector)}/value`, { text }),
    async close() {
      await session('DELETE', '/window')
      await session('POST', '/window', { handle: first })
    },
  }
}

/** One command of WebDriver, with its answer. */
async function command<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, { method, body: body ? JSON.stringify(body) : null })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
  return value
}

/** A screen in memory, under the first name that is free. */
async function startScreen(xvfb: string): Promise<{ process: ChildProcess; display: string }> {
  const child = spawn(
    xvfb,
    ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const [number] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, display: `:${String(number).trim()}` }
}

async function endAll(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
}
