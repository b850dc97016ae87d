import type { ProcessedEnvelope, ProcessedItem } from '@afterimage/server/storage/events/port'
import {
  tables,
  type Columns,
  type Row,
  type TableName,
} from '@afterimage/server/storage/events/tables'

/*
 * Generated traffic of the event store's benches: a shop in five projects, 500 issues and 60 pages
 * by Zipf's law, 20,000 people, 12 tags. The same seed gives the same traffic.
 */

export interface Samples {
  /** An envelope with one error event of 6 to 8 KB. */
  error(receivedAt: number): ProcessedEnvelope
  /** An envelope with a page load: a transaction with its spans (ten in all, on average) and vitals. */
  trace(receivedAt: number): ProcessedEnvelope
  /** The envelopes of a whole replay: one to ten segments. */
  replay(receivedAt: number): readonly ProcessedEnvelope[]
}

export function openSamples(seed: number): Samples {
  const random = randomOf(seed)
  const context: Context = { random, deliveries: 0, replayIds: [], traceIds: [] }
  return {
    error: (receivedAt) => errorEnvelope(context, receivedAt),
    trace: (receivedAt) => traceEnvelope(context, receivedAt),
    replay: (receivedAt) => replayEnvelopes(context, receivedAt),
  }
}

interface Context {
  readonly random: () => number
  deliveries: number
  /** Replays and traces seen lately, for events to name. */
  readonly replayIds: string[]
  readonly traceIds: string[]
}

/** A small generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function hex({ random }: Context, digits: number): string {
  let text = ''
  while (text.length < digits) {
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  }
  return text.slice(0, digits)
}

function below({ random }: Context, count: number): number {
  return Math.floor(random() * count)
}

/** A number below `count`; small ones are far likelier. */
function zipf({ random }: Context, count: number): number {
  return Math.min(count - 1, Math.floor(count ** random()) - 1)
}

const projectIds = [1, 1, 1, 1, 1, 2, 2, 3, 4, 5]
const browsers = ['Chrome 140', 'Safari 19', 'Firefox 143', 'Edge 140', 'Mobile Safari 19']
const systems = ['Windows 11', 'macOS 16', 'iOS 19', 'Android 16', 'Linux']
const countries = ['DE', 'US', 'FR', 'BR', 'IN', 'JP', 'GB', 'PL']
const words =
  'cart checkout product search account order price image review filter list detail'.split(' ')

function row<N extends TableName>(
  table: N,
  timestamp: number,
  columns: Partial<Columns<N>>,
  more: { readonly tags?: Record<string, string>; readonly payload?: string } = {},
): Row {
  const all: Record<string, unknown> = {}
  for (const name in tables[table].columns) all[name] = null
  return { table, timestamp, columns: Object.assign(all, columns), ...more } as unknown as Row
}

function envelope(
  context: Context,
  projectId: number,
  receivedAt: number,
  item: Partial<ProcessedItem> & Pick<ProcessedItem, 'type' | 'rows'>,
): ProcessedEnvelope {
  return {
    deliveryId: `bench:${context.deliveries++}`,
    projectId,
    receivedAt,
    items: [{ quantity: 1, blobs: [], effects: [], refusal: null, ...item }],
  }
}

function person(context: Context): { userKey: string; userLabel: string } {
  const number = zipf(context, 20_000)
  return { userKey: `id:${number}`, userLabel: `person${number}@example.com` }
}

function device(context: Context): {
  release: string
  environment: string
  browser: string
  os: string
} {
  return {
    release: `shop@2.${below(context, 8)}.0`,
    environment: below(context, 10) === 0 ? 'staging' : 'production',
    browser: browsers[zipf(context, browsers.length)] ?? '',
    os: systems[zipf(context, systems.length)] ?? '',
  }
}

function pageName(context: Context): string {
  const number = zipf(context, 60)
  return `/${words[number % words.length]}/${words[(number * 7) % words.length]}/[id${number}]`
}

function errorEnvelope(context: Context, receivedAt: number): ProcessedEnvelope {
  const projectId = projectIds[below(context, projectIds.length)] ?? 1
  const issue = zipf(context, 500)
  const groupingHash = (issue + projectId * 1_000).toString(16).padStart(32, 'a')
  const eventId = hex(context, 32)
  const timestamp = receivedAt - below(context, 3_000)
  const where = device(context)
  const page = pageName(context)
  const title = `TypeError: Cannot read properties of undefined (reading '${words[issue % 12]}${issue}')`
  const url = `https://shop.example.com${page.replace(/\[.*/, String(below(context, 9_999)))}`
  const payload = errorPayload(context, { eventId, title, url, issue, timestamp })
  const tags = {
    environment: where.environment,
    release: where.release,
    level: 'error',
    browser: where.browser,
    'browser.name': where.browser.replace(/ \d+$/, ''),
    os: where.os,
    'os.name': where.os.replace(/ \d+$/, ''),
    transaction: page,
    country: countries[zipf(context, countries.length)] ?? '',
    handled: issue % 3 === 0 ? 'yes' : 'no',
    plan: ['free', 'team', 'company'][below(context, 3)] ?? '',
    shard: String(below(context, 64)),
  }
  const event = row(
    'errors',
    timestamp,
    {
      eventId,
      type: 'error',
      groupingHash,
      level: 'error',
      title,
      culprit: `${words[issue % 12]}/${words[(issue * 5) % 12]}.tsx in render`,
      message: `${title} ${url}`,
      platform: 'javascript',
      ...where,
      transaction: page,
      url,
      handled: issue % 3 === 0 ? 1 : 0,
      ...person(context),
      traceId: context.traceIds.at(-1 - below(context, 50)) ?? hex(context, 32),
      spanId: hex(context, 16),
      replayId:
        below(context, 5) === 0 ? (context.replayIds.at(-1 - below(context, 50)) ?? null) : null,
      sdk: 'sentry.javascript.nextjs/10.8.0',
      clientTimestamp: timestamp,
    },
    { tags, payload },
  )
  return envelope(context, projectId, receivedAt, {
    type: 'event',
    rows: [event],
    effects: [
      {
        type: 'issue',
        hashes: [groupingHash],
        groupingVersion: '1',
        eventId,
        timestamp,
        title,
        culprit: 'render',
        kind: 'error',
        metadata: { type: 'TypeError', value: title },
        level: 'error',
        platform: 'javascript',
        logger: null,
        release: where.release,
        environment: where.environment,
        handled: false,
      },
    ],
  })
}

/** As long and as varied as the normalised event of a browser: 20 frames with context, 25 breadcrumbs. */
function errorPayload(
  context: Context,
  of: { eventId: string; title: string; url: string; issue: number; timestamp: number },
): string {
  const frames = Array.from({ length: 18 }, (_, index) => {
    const word = words[(of.issue + index) % words.length] ?? ''
    return {
      filename: `app:///_next/static/chunks/${word}-${(of.issue * 31 + index).toString(16)}.js`,
      function: `${word}${words[(of.issue * 3 + index) % words.length]}`,
      lineno: 1 + ((of.issue * 17 + index * 101) % 2_000),
      colno: (of.issue * 7 + index * 13) % 200,
      in_app: index % 3 !== 0,
    }
  })
  const breadcrumbs = Array.from({ length: 26 }, (_, index) => ({
    type: 'http',
    category: index % 2 === 0 ? 'fetch' : 'ui.click',
    timestamp: (of.timestamp - below(context, 60_000)) / 1_000,
    data: {
      url: `/api/${words[below(context, 12)]}/${below(context, 99_999)}`,
      status_code: 200 + below(context, 4),
      duration: below(context, 2_000),
    },
    message: `button.${words[below(context, 12)]} > span`,
  }))
  return JSON.stringify({
    event_id: of.eventId,
    timestamp: of.timestamp / 1_000,
    platform: 'javascript',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: of.title,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames },
        },
      ],
    },
    breadcrumbs: { values: breadcrumbs },
    request: {
      url: of.url,
      headers: { 'User-Agent': `Mozilla/5.0 (X11) Chrome/${below(context, 140)}` },
    },
    contexts: { trace: { trace_id: hex(context, 32), span_id: hex(context, 16) } },
    extra: { session: hex(context, 24), cart: below(context, 1e6) },
  })
}

function traceEnvelope(context: Context, receivedAt: number): ProcessedEnvelope {
  const projectId = projectIds[below(context, projectIds.length)] ?? 1
  const traceId = hex(context, 32)
  const segmentId = hex(context, 16)
  const eventId = hex(context, 32)
  const name = pageName(context)
  const where = device(context)
  const who = person(context)
  const durationMs = 80 + 2_000 * context.random() ** 4 * (1 + zipf(context, 8))
  const start = receivedAt - durationMs - below(context, 2_000)
  context.traceIds.push(traceId)
  if (context.traceIds.length > 100) context.traceIds.splice(0, 50)
  const shared = {
    traceId,
    segmentId,
    segmentName: name,
    segmentSource: 'route',
    service: 'browser',
    platform: 'javascript',
    sdk: 'sentry.javascript.nextjs/10.8.0',
    release: where.release,
    environment: where.environment,
    browser: where.browser,
    userKey: who.userKey,
    eventId,
  }
  const spans = Array.from({ length: 5 + below(context, 11) }, (_, index) => {
    const isSegment = index === 0
    const own = isSegment ? durationMs : durationMs * context.random() * 0.5
    return row(
      'spans',
      start + (isSegment ? 0 : below(context, 500)),
      {
        ...shared,
        spanId: isSegment ? segmentId : hex(context, 16),
        parentSpanId: isSegment ? null : segmentId,
        isSegment: isSegment ? 1 : 0,
        name: isSegment ? name : `GET /api/${words[below(context, 12)]}/${below(context, 1_000)}`,
        op: isSegment
          ? 'pageload'
          : (['http.client', 'resource.script', 'ui.react.render', 'db'][below(context, 4)] ?? ''),
        origin: 'auto.http.browser',
        status: below(context, 50) === 0 ? 'internal_error' : 'ok',
        durationMs: own,
        selfTimeMs: own / 2,
        clientTimestamp: start,
      },
      {
        payload: JSON.stringify({
          'http.method': 'GET',
          'http.status': 200,
          'http.bytes': below(context, 99_999),
        }),
      },
    )
  })
  const vitals = (['lcp', 'cls', 'ttfb'] as const).map((vital) =>
    row('vitals', start, {
      traceId,
      segmentId,
      name: vital,
      value: vital === 'cls' ? context.random() * 0.3 : durationMs * context.random(),
      segmentName: name,
      release: where.release,
      environment: where.environment,
      browser: where.browser,
    }),
  )
  const transaction = row(
    'transactions',
    start + durationMs,
    {
      eventId,
      name,
      op: 'pageload',
      source: 'route',
      status: 'ok',
      durationMs,
      traceId,
      spanId: segmentId,
      ...where,
      ...who,
      platform: 'javascript',
      url: `https://shop.example.com${name}`,
      sdk: 'sentry.javascript.nextjs/10.8.0',
      clientTimestamp: start,
    },
    {
      tags: { environment: where.environment, release: where.release },
      payload: '{"contexts":{}}',
    },
  )
  return envelope(context, projectId, receivedAt, {
    type: 'transaction',
    rows: [transaction, ...spans, ...vitals],
  })
}

function replayEnvelopes(context: Context, receivedAt: number): readonly ProcessedEnvelope[] {
  const projectId = projectIds[below(context, projectIds.length)] ?? 1
  const replayId = hex(context, 32)
  context.replayIds.push(replayId)
  if (context.replayIds.length > 100) context.replayIds.splice(0, 50)
  const where = device(context)
  const who = person(context)
  const count = 1 + zipf(context, 10)
  const start = receivedAt - count * 5_000
  return Array.from({ length: count }, (_, segmentId) => {
    const timestamp = start + (segmentId + 1) * 5_000
    const segment = row(
      'replaySegments',
      timestamp,
      {
        replayId,
        segmentId,
        replayType: 'session',
        startedAt: start,
        firstEventAt: timestamp - 5_000,
        lastEventAt: timestamp - 10,
        blobKey: `replays/${projectId}/${replayId}/${segmentId}`,
        recordingBytes: 20_000 + below(context, 50_000),
        eventCount: below(context, 500),
        urls: JSON.stringify([`https://shop.example.com${pageName(context)}`]),
        errorIds: '[]',
        traceIds: JSON.stringify(context.traceIds.slice(-1)),
        clicks: below(context, 9),
        deadClicks: below(context, 20) === 0 ? 1 : 0,
        rageClicks: below(context, 40) === 0 ? 1 : 0,
        warnings: below(context, 3),
        infos: below(context, 9),
        ...where,
        ...who,
        platform: 'javascript',
        device: 'desktop',
        sdk: 'sentry.javascript.nextjs/10.8.0',
        clientTimestamp: timestamp,
      },
      {
        tags: { environment: where.environment },
        payload: `{"replay_id":"${replayId}","n":${segmentId}}`,
      },
    )
    return envelope(context, projectId, receivedAt, { type: 'replay_event', rows: [segment] })
  })
}
