import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClicks } from './clicks.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function watch(slowMs = 7000) {
  const told: Record<string, unknown>[] = []
  const clicks = createClicks(slowMs, (category, { data }) => told.push({ category, ...data }))
  const click = (nodeId = 1): void => clicks.click(nodeId, { message: 'button', data: { nodeId } })
  const happen = (source: number): void =>
    clicks.observe({ type: 3, timestamp: Date.now(), data: { source } })
  return { told, click, happen, clicks, mutate: () => happen(0), scroll: () => happen(3) }
}

test('S23 a click that changes nothing is dead after 7,000 ms, not at 6,999', () => {
  const { told, click } = watch()
  click()
  vi.advanceTimersByTime(6999)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([
    {
      category: 'ui.slowClickDetected',
      nodeId: 1,
      timeAfterClickMs: 7000,
      endReason: 'timeout',
      clickCount: 1,
    },
  ])
})

test.each([
  [3000, []],
  [3001, [{ endReason: 'mutation', timeAfterClickMs: 3001 }]],
  [6999, [{ endReason: 'mutation', timeAfterClickMs: 6999 }]],
  [7000, [{ endReason: 'timeout', timeAfterClickMs: 7000 }]],
])('S23 a page that changes %d ms after a click', (ms, expected) => {
  const { told, click, mutate } = watch()
  click()
  vi.advanceTimersByTime(ms)
  mutate()
  vi.advanceTimersByTime(10_000)
  expect(told).toMatchObject(expected)
})

test.each([
  [300, 0],
  [301, 1],
])('S23 a scroll %d ms after a click', (ms, count) => {
  const { told, click, scroll } = watch()
  click()
  vi.advanceTimersByTime(ms)
  scroll()
  vi.advanceTimersByTime(10_000)
  expect(told).toHaveLength(count)
})

test('S23 five clicks on what is dead are rage', () => {
  const { told, click } = watch()
  for (let n = 0; n < 5; n += 1) {
    click()
    vi.advanceTimersByTime(400)
  }
  vi.advanceTimersByTime(10_000)
  expect(told).toMatchObject([{ endReason: 'timeout', clickCount: 5 }])
})

test.each([
  [1000, [2]],
  [1001, [1, 1]],
])('S23 a second click %d ms after the first', (ms, counts) => {
  const { told, click } = watch()
  click()
  vi.advanceTimersByTime(ms)
  click()
  vi.advanceTimersByTime(10_000)
  expect(told.map((it) => it['clickCount'])).toEqual(counts)
})

test('S23 clicks on what reacts are told when there was more than one', () => {
  const { told, click, mutate } = watch()
  click()
  click()
  click()
  mutate()
  click(2)
  mutate()
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual([{ category: 'ui.multiClick', nodeId: 1, clickCount: 3, metric: true }])
})

test.each([0, 7, 8, 9, 13, 14, 15])('S23 source %d is a reaction', (source) => {
  const { told, click, happen } = watch()
  click()
  happen(source)
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual([])
})

test.each([1, 2, 5, 6])('S23 source %d does not count as a change', (source) => {
  const { told, click, happen } = watch()
  click()
  happen(source)
  vi.advanceTimersByTime(10_000)
  expect(told).toHaveLength(1)
})

test('S23 a window that opens is a reaction', () => {
  const { told, click, clicks } = watch()
  click()
  clicks.react()
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual([])
})

test.each([
  [999, []],
  [1000, [{ endReason: 'pageLeft', timeAfterClickMs: 1000, clickCount: 2 }]],
  [2500, [{ endReason: 'pageLeft', timeAfterClickMs: 2500, clickCount: 2 }]],
])('S23 two clicks that changed nothing until the page is left after %d ms', (ms, expected) => {
  vi.stubGlobal('navigation', {})
  const { told, click, clicks } = watch()
  click()
  click()
  vi.advanceTimersByTime(ms)
  clicks.leave()
  // A page that returns from the cache runs its timers again.
  vi.advanceTimersByTime(10_000)
  expect(told).toMatchObject(expected)
})

test('S23 a navigation by a click on a link is not a reaction to the click before', () => {
  vi.stubGlobal('navigation', {})
  const { told, click, clicks } = watch()
  click(1)
  vi.advanceTimersByTime(2000)
  click(2)
  clicks.react('changedMs', 100)
  vi.advanceTimersByTime(1500)
  clicks.leave()
  expect(told).toMatchObject([{ nodeId: 1, endReason: 'pageLeft', timeAfterClickMs: 3500 }])
})

test('S23 where a browser does not say why a page is left, a click that may have led away is not counted', () => {
  const { told, click, clicks } = watch()
  click(1)
  vi.advanceTimersByTime(500)
  click(2)
  vi.advanceTimersByTime(2500)
  clicks.leave()
  expect(told).toMatchObject([{ nodeId: 1, endReason: 'pageLeft', timeAfterClickMs: 3000 }])
})
