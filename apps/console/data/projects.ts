'use client'

import type { ApiIssue, ApiProject, ApiProjectKey, ApiStats } from '@afterimage/protocol/api'
import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

export function createProject(input: {
  name: string
  platform: string
}): Promise<Answer<ApiProject>> {
  return sendApi('/api/0/organizations/main/projects/', { method: 'POST', body: input })
}

export function createKey(slug: string, name: string): Promise<Answer<ApiProjectKey>> {
  return sendApi(`/api/0/projects/main/${slug}/keys/`, { method: 'POST', body: { name } })
}

export function setKeyActive(
  slug: string,
  key: string,
  isActive: boolean,
): Promise<Answer<ApiProjectKey>> {
  return sendApi(`/api/0/projects/main/${slug}/keys/${key}/`, { method: 'PUT', body: { isActive } })
}

export interface Arrival {
  readonly firstEventAt: string | null
  readonly issueId: string | null
  readonly outcomes: readonly { outcome: string; reason: string; count: number }[]
  readonly isAnswering: boolean
}

/** Arrivals for a project so far, as onboarding shows them. */
export async function arrivalOf(project: { id: string; slug: string }): Promise<Arrival> {
  const [now, stats, isAnswering] = await Promise.all([
    sendApi<ApiProject>(`/api/0/projects/main/${project.slug}/`),
    sendApi<ApiStats>(
      `/api/0/organizations/main/stats_v2/?project=${project.id}&statsPeriod=14d&interval=1d&groupBy=outcome&groupBy=reason&field=sum(quantity)`,
    ),
    isHealthy(),
  ])
  const firstEventAt = now.isOk ? now.value.firstEvent : null
  const issues =
    firstEventAt === null
      ? null
      : await sendApi<readonly ApiIssue[]>(
          `/api/0/organizations/main/issues/?project=${project.id}&query=&sort=new&limit=1`,
        )
  return {
    firstEventAt,
    issueId: issues?.isOk === true ? (issues.value[0]?.id ?? null) : null,
    outcomes: stats.isOk ? outcomesOf(stats.value) : [],
    isAnswering,
  }
}

function outcomesOf(stats: ApiStats): Arrival['outcomes'] {
  return stats.groups.map((group) => ({
    outcome: group.by['outcome'] ?? '',
    reason: group.by['reason'] ?? '',
    count: group.totals['sum(quantity)'] ?? 0,
  }))
}

async function isHealthy(): Promise<boolean> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store' })
    // An unread body never ends for the browser: the page would stay busy.
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** Every role of the server knows a new key within a second. */
const KEY_KNOWN_AFTER_MS = 1000
const SAMPLE_TRIES = 4

/** Sends a sample error through the tunnel, as a client would. Returns the failure's message, or null. */
export async function sendSampleEvent(dsn: string, tunnel: string): Promise<string | null> {
  const body = sampleEnvelope(dsn, location.href, Date.now())
  for (let tried = 1; ; tried++) {
    const wrong = await postSample(tunnel, body)
    if (wrong === null || !wrong.mayBeTooEarly || tried === SAMPLE_TRIES) return wrong?.text ?? null
    await new Promise((resolve) => setTimeout(resolve, KEY_KNOWN_AFTER_MS))
  }
}

async function postSample(
  tunnel: string,
  body: string,
): Promise<{ readonly text: string; readonly mayBeTooEarly: boolean } | null> {
  try {
    const response = await fetch(tunnel, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body,
    })
    if (response.ok) return null
    const answer = (await response.text()).slice(0, 200)
    return {
      text: `The tunnel answered ${response.status}: ${answer}`,
      mayBeTooEarly: response.status >= 400 && response.status < 404,
    }
  } catch (cause) {
    return { text: `The tunnel could not be reached: ${String(cause)}`, mayBeTooEarly: false }
  }
}

/** Builds an envelope with one error event, as a Sentry SDK would send it. `now` in ms. */
export function sampleEnvelope(dsn: string, url: string, now: number): string {
  const eventId = crypto.randomUUID().replaceAll('-', '')
  const event = {
    event_id: eventId,
    timestamp: now / 1000,
    platform: 'javascript',
    level: 'error',
    environment: 'sample',
    release: 'sample@1.0.0',
    transaction: '/checkout',
    request: { url },
    user: { id: 'sample-person' },
    tags: { sample: 'yes' },
    exception: {
      values: [
        {
          type: 'SampleError',
          value: 'This is what an error looks like',
          mechanism: { type: 'onerror', handled: false },
          stacktrace: {
            frames: [
              sampleFrame('onSubmit', 'checkout.js', 29),
              sampleFrame('formatTotal', 'price.js', 87),
            ],
          },
        },
      ],
    },
    breadcrumbs: [
      {
        timestamp: now / 1000 - 12,
        category: 'navigation',
        data: { from: '/basket', to: '/checkout' },
      },
      { timestamp: now / 1000 - 3, category: 'ui.click', message: 'button.pay' },
      {
        timestamp: now / 1000 - 2,
        type: 'http',
        category: 'fetch',
        data: {
          method: 'POST',
          url: 'https://shop.example/api/order',
          status_code: 200,
          duration: 148,
        },
      },
    ],
  }
  const lines = [
    { event_id: eventId, sent_at: new Date(now).toISOString(), dsn },
    { type: 'event' },
    event,
  ]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

function sampleFrame(name: string, file: string, line: number) {
  return {
    filename: `https://shop.example/static/${file}`,
    function: name,
    lineno: line,
    colno: 17,
    in_app: true,
  }
}
