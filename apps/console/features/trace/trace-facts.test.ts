import { expect, test } from 'vitest'
import type { ApiSpan, ApiTrace } from '@afterimage/protocol/api/trace'
import { covered, spanSentence, traceSentence } from './trace-facts.ts'
import { bySelfTime, matchingRows, servicesOf, spanRows, visibleRows } from './span-rows.ts'

let id = 0
function span(
  name: string,
  [at, until]: readonly [number, number],
  more: Partial<ApiSpan> = {},
): ApiSpan {
  id += 1
  return {
    span_id: `s${id}`,
    parent_span_id: null,
    project_slug: 'web',
    event_id: null,
    is_segment: false,
    op: 'function',
    name,
    transaction: '/checkout',
    origin: null,
    status: 'ok',
    service: 'browser',
    start_timestamp: 1_795_161_831 + at / 1000,
    end_timestamp: 1_795_161_831 + until / 1000,
    duration: until - at,
    self_time: until - at,
    attributes: {},
    errors: [],
    children: [],
    ...more,
  }
}

function trace(...spans: ApiSpan[]): ApiTrace {
  return {
    trace_id: 'a'.repeat(32),
    spans,
    orphan_errors: [],
    vitals: [],
    replay_id: null,
    is_truncated: false,
    span_count: spans.length,
  }
}

const http = (host: string, range: readonly [number, number], more: Partial<ApiSpan> = {}) =>
  span(`GET https://${host}/rates`, range, { op: 'http.client', ...more })

test('a trace opens with the page and what it waited for longest', () => {
  const root = span('/checkout', [0, 4260], {
    op: 'pageload',
    children: [
      http('carrier.example', [1774, 2774], { status: 'deadline_exceeded' }),
      http('carrier.example', [2872, 3790]),
      http('stock.example', [100, 300]),
    ],
  })
  expect(traceSentence(trace(root))).toBe(
    '/checkout took 4.26 s; it waited 1.92 s for carrier.example',
  )
})

test('a database is named by its system, and requests at once are waited for once', () => {
  const query = (range: readonly [number, number]) =>
    span('SELECT 1', range, { op: 'db', attributes: { 'db.system': 'postgresql' } })
  const root = span('GET /rates', [0, 1000], { children: [query([0, 400]), query([200, 500])] })
  expect(traceSentence(trace(root))).toBe('GET /rates took 1 s; it waited 500 ms for postgresql')
  expect(
    covered([
      { at: 0, until: 10 },
      { at: 5, until: 8 },
      { at: 20, until: 30 },
    ]),
  ).toBe(20)
})

test('a page load may wait for the document itself', () => {
  const request = span('https://shop.example/', [10, 2050], { op: 'browser.request' })
  expect(traceSentence(trace(span('/', [0, 3270], { op: 'pageload', children: [request] })))).toBe(
    '/ took 3.27 s; it waited 2.04 s for its server',
  )
})

test('small waits are not findings; failures and errors are, and few facts make a short sentence', () => {
  const quick = http('carrier.example', [0, 50])
  expect(traceSentence(trace(span('/a', [0, 1000], { children: [quick] })))).toBe('/a took 1 s')
  expect(traceSentence(trace(span('/a', [0, 80], { status: 'internal_error' })))).toBe(
    '/a took 80 ms; it failed',
  )
  const error = {
    event_id: 'e',
    issue_id: '1',
    short_id: 'WEB-1',
    span_id: null,
    project_slug: 'web',
    title: 'TypeError',
    level: 'error',
    timestamp: 0,
  }
  expect(traceSentence(trace(span('/a', [0, 80], { errors: [error] })))).toBe(
    '/a took 80 ms; it met an error',
  )
  expect(traceSentence(trace())).toBe('No spans of this trace are kept')
})

test('a plain name gives way to the page it stands for', () => {
  const root = span('Pageload', [0, 500], { op: 'pageload', attributes: { 'url.path': '/shop' } })
  expect(traceSentence(trace(root))).toBe('/shop took 500 ms')
})

test('rows stand by time, fold with what is under them, and are found with their parents', () => {
  const inner = span('inner', [120, 180])
  const late = span('late', [200, 300])
  const early = span('early', [100, 190], { children: [inner], service: 'web', self_time: 500 })
  const rows = spanRows(trace(span('root', [0, 400], { children: [late, early] })))
  expect(rows.map((row) => [row.span.name, row.depth, row.descendants])).toEqual([
    ['root', 0, 3],
    ['early', 1, 1],
    ['inner', 2, 0],
    ['late', 1, 0],
  ])
  expect(visibleRows(rows, new Set([early.span_id]))).toEqual([0, 1, 3])
  expect(matchingRows(rows, 'INNER')).toEqual([0, 1, 2])
  expect(bySelfTime(rows)[0]).toBe(1)
  expect(servicesOf(rows)).toEqual([
    { name: 'browser', count: 3, colour: 1 },
    { name: 'web', count: 1, colour: 2 },
  ])
})

test('a span is said to be one of several alike, with its share', () => {
  const rows = spanRows(
    trace(
      span('/checkout', [0, 4000], {
        children: [
          http('carrier.example', [0, 1000], { status: 'deadline_exceeded' }),
          http('carrier.example', [1000, 2000]),
        ],
      }),
    ),
  )
  expect(spanSentence(rows[2]!, rows, 4000)).toBe(
    '2 of 2 alike, 1 failed before. 25 % of the trace.',
  )
  expect(spanSentence(rows[1]!, rows, 4000)).toBe(
    '1 of 2 alike. 25 % of the trace. It failed: deadline_exceeded.',
  )
})

test('a trace a hundred thousand spans deep is read', () => {
  let deepest = span('deep', [0, 1])
  for (let depth = 0; depth < 100_000; depth += 1) deepest = { ...deepest, children: [deepest] }
  expect(spanRows(trace(deepest)).length).toBe(100_001)
})
