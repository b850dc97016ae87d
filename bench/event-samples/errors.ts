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
  countries,
  type Context,
} from './context.ts'

export function errorEnvelope(context: Context, receivedAt: number): ProcessedEnvelope {
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
  const tags = errorTags(context, where, page, issue)
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

function errorTags(
  context: Context,
  where: ReturnType<typeof device>,
  page: string,
  issue: number,
): Record<string, string> {
  return {
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
