import { expect, test } from 'vitest'
import { deriveTimeline, indexAt } from './timeline.ts'
import { joinSegments } from './recording.ts'
import { deriveIdleGaps, skipTarget } from './activity.ts'
import { neighbourMarker, placeMarkers } from './markers.ts'

const t0 = 1_795_161_831_000
const meta = (at: number, href: string) => ({
  type: 4,
  timestamp: t0 + at,
  data: { href, width: 1100, height: 760 },
})
const full = (at: number) => ({ type: 2, timestamp: t0 + at, data: { node: {} } })
const move = (at: number) => ({ type: 3, timestamp: t0 + at, data: { source: 1, positions: [] } })
const crumb = (at: number, payload: object) => ({
  type: 5,
  timestamp: t0 + at,
  data: { tag: 'breadcrumb', payload: { timestamp: (t0 + at) / 1000, ...payload } },
})
const span = (from: number, to: number, payload: object) => ({
  type: 5,
  timestamp: (t0 + from) / 1000,
  data: {
    tag: 'performanceSpan',
    payload: { startTimestamp: (t0 + from) / 1000, endTimestamp: (t0 + to) / 1000, ...payload },
  },
})
const click = (at: number, data: object) =>
  crumb(at, { category: 'ui.slowClickDetected', message: 'body > button#pay', data })
const marker = (id: string, at: number, kind: 'error' | 'warning' | 'click' | 'navigation') => ({
  id,
  at,
  kind,
  label: id,
})
const timelineOf = (events: unknown[], errors: Parameters<typeof deriveTimeline>[1] = []) =>
  deriveTimeline(joinSegments([{ segmentId: 0, events }]), errors)

test('pages become chapters: loads and changes of address, each once', () => {
  const { chapters } = timelineOf([
    meta(0, 'https://shop.example/teas?sort=new'),
    full(10),
    crumb(1_000, { category: 'navigation', data: { from: '/teas', to: '/basket' } }),
    span(1_001, 1_001, { op: 'navigation.push', description: 'https://shop.example/basket' }),
    meta(4_000, 'https://shop.example/checkout'),
    full(4_010),
    move(9_000),
  ])
  expect(chapters.map(({ path, at, until }) => [path, at, until])).toEqual([
    ['/teas?sort=new', 0, 1_000],
    ['/basket', 1_000, 4_000],
    ['/checkout', 4_000, 9_000],
  ])
})

test('a click whose page was left without a reaction is dead, and says how long that was', () => {
  const { steps } = timelineOf([
    full(0),
    click(10, { endReason: 'pageLeft', timeAfterClickMs: 2500, clickCount: 1 }),
  ])
  expect(steps).toMatchObject([{ kind: 'dead', detail: 'nothing in 2.5 s' }])
})

test('a dead click is dead, five of them are rage, an answered one is slow', () => {
  const { steps } = timelineOf([
    full(0),
    click(10, { endReason: 'timeout', timeAfterClickMs: 7000, clickCount: 1 }),
    click(20, { endReason: 'timeout', timeAfterClickMs: 7000, clickCount: 5 }),
    click(30, { endReason: 'mutation', timeAfterClickMs: 4005, clickCount: 1 }),
    move(40),
  ])
  expect(steps.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['dead', 'nothing in 7 s'],
    ['rage', '5 clicks, nothing in 7 s'],
    ['click', 'answered after 4 s'],
  ])
})

test('requests carry milliseconds, and only the failed ones become signs', () => {
  const timeline = timelineOf([
    full(0),
    span(100, 148, {
      op: 'resource.fetch',
      description: '/api/ok',
      data: { method: 'POST', statusCode: 200 },
    }),
    span(200, 220, {
      op: 'resource.xhr',
      description: '/api/fail',
      data: { method: 'GET', statusCode: 500 },
    }),
    span(300, 420, { op: 'resource.script', description: 'https://shop.example/app.js', data: {} }),
    move(1_000),
  ])
  expect(
    timeline.network.map((row) => [row.label, Math.round(row.durationMs), row.isFailed]),
  ).toEqual([
    ['/api/ok', 48, false],
    ['/api/fail', 20, true],
    ['/app.js', 120, false],
  ])
  expect(timeline.markers.map((marker) => marker.label)).toEqual(['GET /api/fail 500, 20 ms'])
  expect(timeline.steps.map((step) => step.subject)).toEqual(['/api/ok', '/api/fail'])
})

test('a poor vital, a console line, typed characters and an error stand in order of time', () => {
  const timeline = timelineOf(
    [
      full(0),
      span(50, 50, {
        op: 'web-vital',
        description: 'largest-contentful-paint',
        data: { value: 4210, rating: 'poor' },
      }),
      crumb(100, {
        category: 'ui.input',
        message: 'body > input#code',
        data: { nodeId: 7, node: { attributes: { name: 'Voucher code' } } },
      }),
      { type: 3, timestamp: t0 + 110, data: { source: 5, id: 7, text: '********' } },
      crumb(200, {
        category: 'console',
        level: 'warning',
        data: { arguments: ['none', { a: 1 }] },
      }),
      move(400),
    ],
    [
      {
        eventId: 'a'.repeat(32),
        issueId: '1',
        shortId: 'STORE-3F7',
        title: 'TypeError: x is undefined',
        level: 'error',
        timestamp: t0 + 300,
      },
    ],
  )
  expect(
    timeline.steps.map((step) => `${step.verb} ${step.subject} | ${step.detail}`.trim()),
  ).toEqual([
    'LCP | 4.21 s, poor',
    'Typed in Voucher code | 8 characters',
    'console.warn none {"a":1} |',
    'TypeError: x is undefined | STORE-3F7',
  ])
})

test('signs closer than nine pixels: the gravest stays', () => {
  const placed = placeMarkers(
    [
      marker('w', 100, 'warning'),
      marker('e', 104, 'error'),
      marker('far', 200, 'warning'),
      marker('c', 102, 'click'),
      marker('n', 108, 'navigation'),
    ],
    { durationMs: 1_000, width: 1_000 },
  )
  expect(placed.wrong.map((m) => m.id)).toEqual(['e', 'far'])
  expect(placed.done.map((m) => m.id)).toEqual(['n'])
})

test('in one row signs of both kinds keep their distance', () => {
  const placed = placeMarkers([marker('n', 0, 'navigation'), marker('w', 2, 'warning')], {
    durationMs: 1_000,
    width: 1_000,
    isOneRow: true,
  })
  expect(placed.wrong.map((m) => m.id)).toEqual(['w'])
  expect(placed.done).toEqual([])
})

test('stepping between signs leaves clicks out and never stays in place', () => {
  const markers = [
    { id: 'a', at: 1_000, kind: 'navigation' as const, label: '' },
    { id: 'b', at: 2_000, kind: 'click' as const, label: '' },
    { id: 'c', at: 3_000, kind: 'error' as const, label: '' },
  ]
  expect(neighbourMarker(markers, 1_000, 1)?.id).toBe('c')
  expect(neighbourMarker(markers, 3_000, -1)?.id).toBe('a')
  expect(neighbourMarker(markers, 3_000, 1)).toBeNull()
})

test('ten quiet seconds are idle, unless something went wrong in them', () => {
  const quiet = joinSegments([{ segmentId: 0, events: [full(0), move(1_000), move(31_000)] }])
  expect(deriveIdleGaps(quiet, [])).toEqual([{ at: 1_000, until: 31_000 }])
  const error = { id: 'e', at: 22_000, kind: 'error' as const, label: '' }
  expect(deriveIdleGaps(quiet, [error])).toEqual([{ at: 1_000, until: 22_000 }])
  const later = { ...error, at: 90_000 }
  expect(deriveIdleGaps(quiet, [later])).toEqual([{ at: 1_000, until: 31_000 }])
  expect(skipTarget([{ at: 1_000, until: 31_000 }], 5_000)).toBe(30_000)
  expect(skipTarget([{ at: 1_000, until: 31_000 }], 30_500)).toBeNull()
})

test('the row under the cursor is found by bisection', () => {
  const rows = [{ at: 0 }, { at: 10 }, { at: 10 }, { at: 30 }]
  expect([-1, 0, 10, 29, 30].map((at) => indexAt(rows, at))).toEqual([-1, 0, 2, 2, 3])
  expect(indexAt([], 5)).toBe(-1)
})
