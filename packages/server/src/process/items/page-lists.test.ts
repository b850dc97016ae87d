import { expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import type { Row } from '../../storage/events/tables.ts'
import { isListed } from '../../traces/listed-segments.ts'
import { itemContext, recordedEnvelopes } from '../../testing/recorded-items.ts'
import { processItem } from '../process-item.ts'

/**
 * The same program under SDK 9 or 10 (transactions) and under SDK 11 (streamed spans) must give the
 * same list of pages and requests, and the same traces. The programs ran at different times, so ids and
 * durations differ; names, operations, sources, and how spans nest, do not.
 */

type SpanRow = Extract<Row, { table: 'spans' }>

function rowsOfJob(context: TestContext, job: string): Row[] {
  const envelopes = recordedEnvelopes(context).filter((recorded) => recorded.job === job)
  expect(envelopes.length, job).toBeGreaterThan(0)
  return envelopes.flatMap(({ envelope }) =>
    envelope.items.flatMap((item, index) => processItem(item, itemContext(envelope, index)).rows),
  )
}

function spansOfJob(context: TestContext, job: string): SpanRow[] {
  return rowsOfJob(context, job).filter((row): row is SpanRow => row.table === 'spans')
}

/** A row of the list: page, operation, source. The run's own id is taken out of names. */
function listed(spans: readonly SpanRow[]): string[] {
  return spans
    .filter(({ columns }) => columns.isSegment === 1 && isListed(columns.op ?? ''))
    .sort((a, b) => a.timestamp - b.timestamp)
    .map(({ columns }) => {
      expect(columns.durationMs).toBeGreaterThan(0)
      expect(columns.name).toBe(columns.segmentName)
      const name = columns.segmentName?.replace(/\[[0-9a-f]{8}\]/, '[run]')
      return `${columns.op} ${name} (${columns.segmentSource}) by ${columns.service}`
    })
}

/** Products are numbered by the clock in some programs. */
function unnumbered(names: readonly string[]): string[] {
  return names.map((name) => name.replace(/\d{4,}/, 'N'))
}

/**
 * Requests within the pages, as the waterfall shows them, with the page they hang under. Older SDKs say
 * nothing of a span that went well unless it was a request.
 */
function requests(spans: readonly SpanRow[]): string[] {
  const pages = new Map(spans.map((row) => [row.columns.spanId, row.columns.segmentName]))
  return spans
    .filter(({ columns }) => columns.isSegment === 0 && columns.op === 'http.client')
    .map(({ columns }) => `${pages.get(columns.segmentId)}: ${columns.name} ${columns.status}`)
    .map((text) => text.replace(/127\.0\.0\.1:\d{5}/, 'host').replace(/ unknown$/, ' ok'))
    .sort()
}

test.for<[string, string]>([
  ['browser11-tracing', 'browser9-tracing-tunnel'],
  ['browser11-tracing-static', 'browser9-tracing-tunnel'],
  ['browser11-tracing-tunnel-no-user-tunnel', 'browser9-tracing-tunnel'],
  ['react11-tracing-tunnel', 'browser9-tracing-tunnel'],
  ['browser11-replay-buffer-tunnel', 'browser9-replay-buffer-uncompressed'],
])('%s lists the pages that %s lists', ([newer, older], context) => {
  const [now, before] = [listed(spansOfJob(context, newer)), listed(spansOfJob(context, older))]
  expect(before.length).toBeGreaterThan(1)
  expect(unnumbered(now)).toEqual(unnumbered(before))
})

test.for<[string, string]>([
  ['browser11-tracing', 'browser9-tracing-tunnel'],
  ['react11-tracing-tunnel', 'browser9-tracing-tunnel'],
])('%s names the requests within its pages as %s does', ([newer, older], context) => {
  expect(requests(spansOfJob(context, newer))).toEqual(requests(spansOfJob(context, older)))
})

test.for<[string, string]>([
  ['node11-tracing', 'node11-tracing-static'],
  ['node11-tracing', 'node10-tracing'],
  ['node11-sessions', 'node10-sessions'],
])(
  '%s lists the routes that %s lists, and unrouted requests by their path',
  ([newer, older], context) => {
    const now = listed(spansOfJob(context, newer))
    // SDKs before 11 drop requests without a route that are answered with 404.
    const unrouted = 'http.server GET /nope (url) by node'
    expect(now.filter((name) => name !== unrouted).sort()).toEqual(
      listed(spansOfJob(context, older)).sort(),
    )
    if (newer === 'node11-tracing') expect(now).toContain(unrouted)
  },
)

test('a request outside of any page is a segment of the trace, and no page', (context) => {
  const spans = spansOfJob(context, 'browser11-replay-session-uncompressed')
  const segments = spans.filter(({ columns }) => columns.isSegment === 1)
  const outside = segments.filter(({ columns }) => columns.op === 'http.client')
  expect(outside.length).toBeGreaterThan(20)
  expect(listed(spans).every((name) => /^(?:pageload|navigation) \//.test(name))).toBe(true)
  expect(outside.some(({ columns }) => columns.name?.includes('/api/ok'))).toBe(true)
})

test('every span of a trace finds its parent, or is a root', (context) => {
  for (const job of [
    'browser9-tracing-tunnel',
    'browser11-tracing',
    'node10-tracing',
    'node11-tracing',
  ]) {
    const spans = spansOfJob(context, job)
    const ids = new Set(spans.map(({ columns }) => columns.spanId))
    for (const { columns } of spans) {
      const isRoot = columns.isSegment === 1
      expect(isRoot || ids.has(columns.parentSpanId), `${job} ${columns.name}`).toBe(true)
      expect(columns.selfTimeMs).toBeLessThanOrEqual(columns.durationMs! + 0.001)
    }
  }
})

test('the web vitals of a page load are keyed by it, whatever item they came in', (context) => {
  const vitalsOf = (job: string) => {
    const rows = rowsOfJob(context, job)
    const page = rows.find(
      (row) => row.table === 'spans' && row.columns.op === 'pageload',
    ) as SpanRow
    const names = rows.flatMap((row) =>
      row.table === 'vitals' && row.columns.segmentId === page.columns.spanId
        ? [row.columns.name]
        : [],
    )
    return names.sort()
  }
  // In 9 the interaction names no page load, and is its own segment.
  expect(vitalsOf('browser9-tracing-tunnel')).toEqual(['fcp', 'fid', 'fp', 'lcp', 'ttfb'])
  expect(vitalsOf('browser11-tracing')).toEqual(['cls', 'fcp', 'fp', 'inp', 'lcp', 'ttfb'])
  expect(vitalsOf('browser11-tracing-static')).toEqual(['fcp', 'fp', 'inp', 'lcp', 'ttfb'])
})

test('a vital names the element that caused it', (context) => {
  for (const job of ['browser9-tracing-tunnel', 'browser11-tracing']) {
    const lcp = rowsOfJob(context, job).find(
      (row) => row.table === 'vitals' && row.columns.name === 'lcp',
    )
    expect(lcp?.columns).toMatchObject({ element: 'body > div#hero' })
  }
})
