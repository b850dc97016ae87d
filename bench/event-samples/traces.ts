import type { Row } from '@afterimage/server/storage/events/tables'
import type { ProcessedEnvelope } from '@afterimage/server/storage/events/port'
import {
  below,
  device,
  envelope,
  hex,
  pageName,
  person,
  projectIds,
  row,
  words,
  zipf,
  type Context,
} from './context.ts'

export function traceEnvelope(context: Context, receivedAt: number): ProcessedEnvelope {
  const projectId = projectIds[below(context, projectIds.length)] ?? 1
  const durationMs = 80 + 2_000 * context.random() ** 4 * (1 + zipf(context, 8))
  const load: PageLoad = {
    traceId: hex(context, 32),
    segmentId: hex(context, 16),
    eventId: hex(context, 32),
    name: pageName(context),
    start: receivedAt - durationMs - below(context, 2_000),
    durationMs,
    where: device(context),
    who: person(context),
  }
  context.traceIds.push(load.traceId)
  if (context.traceIds.length > 100) context.traceIds.splice(0, 50)
  const spans = Array.from({ length: 5 + below(context, 11) }, (_, index) =>
    spanRow(context, load, index === 0),
  )
  const vitals = (['lcp', 'cls', 'ttfb'] as const).map((vital) => vitalRow(context, load, vital))
  return envelope(context, projectId, receivedAt, {
    type: 'transaction',
    rows: [transactionRow(load), ...spans, ...vitals],
  })
}

interface PageLoad {
  readonly traceId: string
  readonly segmentId: string
  readonly eventId: string
  readonly name: string
  readonly start: number
  readonly durationMs: number
  readonly where: ReturnType<typeof device>
  readonly who: ReturnType<typeof person>
}

const sdk = 'sentry.javascript.nextjs/10.8.0'

function spanRow(context: Context, load: PageLoad, isSegment: boolean): Row {
  const { where, start, segmentId } = load
  const durationMs = isSegment ? load.durationMs : load.durationMs * context.random() * 0.5
  const ops = ['http.client', 'resource.script', 'ui.react.render', 'db']
  return row(
    'spans',
    start + (isSegment ? 0 : below(context, 500)),
    {
      traceId: load.traceId,
      segmentId,
      segmentName: load.name,
      segmentSource: 'route',
      service: 'browser',
      platform: 'javascript',
      sdk,
      release: where.release,
      environment: where.environment,
      browser: where.browser,
      userKey: load.who.userKey,
      eventId: load.eventId,
      spanId: isSegment ? segmentId : hex(context, 16),
      parentSpanId: isSegment ? null : segmentId,
      isSegment: isSegment ? 1 : 0,
      name: isSegment
        ? load.name
        : `GET /api/${words[below(context, 12)]}/${below(context, 1_000)}`,
      op: isSegment ? 'pageload' : (ops[below(context, 4)] ?? ''),
      origin: 'auto.http.browser',
      status: below(context, 50) === 0 ? 'internal_error' : 'ok',
      durationMs,
      selfTimeMs: durationMs / 2,
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
}

function vitalRow(context: Context, load: PageLoad, name: string): Row {
  const { release, environment, browser } = load.where
  return row('vitals', load.start, {
    traceId: load.traceId,
    segmentId: load.segmentId,
    name,
    value: name === 'cls' ? context.random() * 0.3 : load.durationMs * context.random(),
    segmentName: load.name,
    release,
    environment,
    browser,
  })
}

function transactionRow({ start, durationMs, where, who, ...load }: PageLoad): Row {
  return row(
    'transactions',
    start + durationMs,
    {
      eventId: load.eventId,
      name: load.name,
      op: 'pageload',
      source: 'route',
      status: 'ok',
      durationMs,
      traceId: load.traceId,
      spanId: load.segmentId,
      ...where,
      ...who,
      platform: 'javascript',
      url: `https://shop.example.com${load.name}`,
      sdk,
      clientTimestamp: start,
    },
    {
      tags: { environment: where.environment, release: where.release },
      payload: '{"contexts":{}}',
    },
  )
}
