import { recordedReplay } from './recorded-replay.ts'
import type { Product } from './product.ts'
import { until } from './until.ts'

/** Tokens of share links, and what they show. */
export interface Shares {
  readonly issue: string
  readonly issueTitle: string
  readonly replay: string
  /** Token of an issue whose link was revoked. */
  readonly revoked: string
  readonly replayId: string
  readonly project: string
}

/** Sends one error that happened in one replay, and shares both; a second error's link is revoked. */
export async function shareSomething(product: Product): Promise<Shares> {
  const project = await product.createProject('shared', { platform: 'javascript' })
  const replayId = 'd'.repeat(32)
  const at = Date.now() - 60_000
  await send(product, project.dsn, recordedReplay({ replayId, at, dsn: project.dsn }))
  const first = await sendError(product, project.dsn, {
    type: 'TypeError',
    at: at + 4_000,
    replayId,
  })
  const second = await sendError(product, project.dsn, { type: 'RangeError', at: at + 5_000 })
  await until('the replay is kept', () => product.api(`organizations/main/replays/${replayId}/`))
  const issue = await share(product, `organizations/main/issues/${first}/share/`)
  const revoked = await share(product, `organizations/main/issues/${second}/share/`)
  await request(product, 'DELETE', `organizations/main/issues/${second}/share/`)
  const replay = await share(product, `organizations/main/replays/${replayId}/share/`)
  return {
    issue,
    revoked,
    replay,
    replayId,
    project: project.slug,
    issueTitle: 'TypeError: price is undefined',
  }
}

/** Sends an envelope as the SDK of that DSN would. */
export async function send(product: Product, dsn: string, body: string): Promise<void> {
  const { username, pathname } = new URL(dsn)
  const answer = await fetch(`${product.url}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body,
  })
  if (!answer.ok) throw new Error(`It was answered ${answer.status}: ${await answer.text()}`)
}

/** Sends one error and returns the id of its issue. */
async function sendError(
  product: Product,
  dsn: string,
  error: { readonly type: string; readonly at: number; readonly replayId?: string },
): Promise<string> {
  const id = crypto.randomUUID().replaceAll('-', '')
  const event = {
    event_id: id,
    timestamp: error.at / 1000,
    platform: 'javascript',
    level: 'error',
    exception: {
      values: [
        {
          type: error.type,
          value: 'price is undefined',
          stacktrace: {
            frames: [
              { function: 'total', filename: 'app:///cart.js', lineno: 7, colno: 3, in_app: true },
            ],
          },
        },
      ],
    },
    ...(error.replayId === undefined ? {} : { tags: { replayId: error.replayId } }),
  }
  const header = { event_id: id, sent_at: new Date().toISOString(), dsn }
  await send(
    product,
    dsn,
    [header, { type: 'event' }, event].map((it) => JSON.stringify(it)).join('\n'),
  )
  return until('the error has an issue', async () => {
    const found = await product.api<{ groupId: string | null }>(
      `organizations/main/eventids/${id}/`,
    )
    return found.groupId
  })
}

async function share(product: Product, path: string): Promise<string> {
  const answer = await request(product, 'POST', path)
  return ((await answer.json()) as { id: string }).id
}

async function request(product: Product, method: string, path: string): Promise<Response> {
  const answer = await fetch(`${product.url}/api/0/${path}`, {
    method,
    headers: { authorization: `Bearer ${product.token}` },
  })
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`)
  return answer
}
