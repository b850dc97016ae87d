import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { ApiEventSummary, ApiIssue } from '@afterimage/protocol/api'
import { seededRandom } from '@afterimage/server/testing/seeded-random'
import { freePort, startProduct, type Product, type Project } from './support/product.ts'
import { until } from './support/until.ts'

/**
 * `kill -9` of each role, of all, and of the supervisor alone, at random moments under load. Every
 * envelope answered with 200 is found exactly once, counts included, and the stores are whole.
 */

const targets = ['ingest', 'process', 'web', 'all', 'supervisor'] as const
type Target = (typeof targets)[number]
const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
const rounds = isLong ? 30 : 5
const seed = 20_261_120
/** Limit of a restart, as a multiple of this run's first start, which builds its stores too. */
const RESTARTS_WITHIN = 3
const SENDERS = 16
/** Each sender waits so long after an answer: most of a short run was the backlog of an unbounded load. */
const SENDER_PAUSE_MS = isLong ? 0 : 20

let product: Product | null = null
afterEach(async () => {
  await product?.stop()
  await product?.remove()
  product = null
})

test(`${rounds} rounds of kill -9 lose nothing and count nothing twice`, async () => {
  const port = await freePort()
  const firstStartedAt = performance.now()
  product = await startProduct({ port })
  const withinMs = RESTARTS_WITHIN * (performance.now() - firstStartedAt)
  const project = await product.createProject('kill')
  const acknowledged = new Set<string>()
  const random = seededRandom(seed)

  for (let round = 0; round < rounds; round += 1) {
    const target = targets[round % targets.length] as Target
    const load = startLoad(port, project, acknowledged)
    await delay(200 + random() * 1200)
    const dataDir: string = product.dataDir
    await kill(product, target)
    if (target === 'all' || target === 'supervisor') {
      const startedAt = performance.now()
      const [started] = await Promise.all([
        startProduct({ port, dataDir }),
        expectReady(port, { since: startedAt, withinMs }, `round ${round}, ${target}`),
      ])
      product = started
    } else {
      const limit = { since: performance.now(), withinMs }
      await expectReady(port, limit, `round ${round}, ${target}`)
    }
    await delay(random() * 500)
    await load.stop()
  }

  expect(acknowledged.size).toBeGreaterThan(rounds * 20)
  await expectExactlyOnce(product, acknowledged)
  await product.stop()
  for (const file of ['events.db', 'metadata.db']) {
    const database = new DatabaseSync(join(product.dataDir, file), { readOnly: true })
    const [row] = database.prepare('pragma integrity_check').all() as { integrity_check: string }[]
    database.close()
    expect(row?.integrity_check, file).toBe('ok')
  }
}, 1_200_000)

async function kill(product: Product, target: Target): Promise<void> {
  const roles = await product.rolePids()
  const pids =
    target === 'supervisor'
      ? [product.pid]
      : target === 'all'
        ? [product.pid, ...roles.values()]
        : [roles.get(target) ?? 0]
  for (const pid of pids) if (pid > 1) process.kill(pid, 'SIGKILL')
}

/** `/readyz` answers 200 within the time, whatever the backlog. */
async function expectReady(
  port: number,
  limit: { readonly since: number; readonly withinMs: number },
  what: string,
): Promise<void> {
  await until(
    `${what}: /readyz answers 200`,
    async () =>
      (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1000) })).ok,
    60_000,
  )
  const tookMs = performance.now() - limit.since
  expect(tookMs, `${what}: ms until ready`).toBeLessThan(limit.withinMs)
}

interface Load {
  stop(): Promise<void>
}

/** Sends events all the time; an id is acknowledged when its 200 has arrived whole. */
function startLoad(port: number, project: Project, acknowledged: Set<string>): Load {
  const key = new URL(project.dsn).username
  const url = `http://127.0.0.1:${port}/api/${project.id}/envelope/?sentry_key=${key}&sentry_version=7`
  const stopping = new AbortController()
  const sender = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const id = crypto.randomUUID().replaceAll('-', '')
      try {
        const response = await fetch(url, {
          method: 'POST',
          body: envelope(id),
          signal: AbortSignal.timeout(5000),
        })
        const answer = (await response.json()) as { id?: string }
        if (response.status === 200 && answer.id === id) acknowledged.add(id)
        await delay(SENDER_PAUSE_MS)
      } catch {
        // Not acknowledged: it may be stored or not.
        await delay(20)
      }
    }
  }
  const senders = Array.from({ length: SENDERS }, sender)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(senders)
    },
  }
}

function envelope(id: string): string {
  const event = {
    event_id: id,
    platform: 'javascript',
    level: 'error',
    timestamp: Date.now() / 1000,
    user: { id: id.slice(0, 2) },
    exception: {
      values: [
        {
          type: 'KillError',
          value: 'killed under load',
          stacktrace: {
            frames: [
              {
                filename: 'app.js',
                function: `part${id.charCodeAt(0) % 4}`,
                lineno: 3,
                in_app: true,
              },
            ],
          },
        },
      ],
    },
  }
  return `{"event_id":"${id}","sent_at":"${new Date().toISOString()}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`
}

async function expectExactlyOnce(
  product: Product,
  acknowledged: ReadonlySet<string>,
): Promise<void> {
  const list = (): Promise<readonly ApiIssue[]> =>
    product.apiAll<ApiIssue>('organizations/main/issues/?query=&statsPeriod=24h&limit=100')
  await until(
    `all ${acknowledged.size} are counted`,
    async () => count(await list()) >= acknowledged.size,
    // A backlog is worked off slowly while other programs need the machine.
    600_000,
  )
  const settled = await until('the count stands still', async () => {
    const before = count(await list())
    await delay(500)
    return before === count(await list()) ? before : null
  })
  const found: string[] = []
  for (const issue of await list()) {
    const events = await product.apiAll<ApiEventSummary>(`issues/${issue.id}/events/?limit=100`)
    expect(events, issue.title).toHaveLength(Number(issue.count))
    found.push(...events.map((event) => event.eventID))
  }
  const once = new Set(found)
  expect(found.length).toBe(once.size)
  expect(found.length).toBe(settled)
  expect([...acknowledged].filter((id) => !once.has(id))).toEqual([])
}

function count(issues: readonly ApiIssue[]): number {
  return issues.reduce((total, issue) => total + Number(issue.count), 0)
}
