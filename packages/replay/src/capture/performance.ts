import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { guard } from '@afterimage/sdk-core/guard'
import type { Recorder } from '../recorder.ts'
import { addSpan } from './span.ts'

/** Good up to the first value, poor beyond the second. */
const vitals = {
  'largest-contentful-paint': [2500, 4000],
  'cumulative-layout-shift': [0.1, 0.25],
  'interaction-to-next-paint': [200, 500],
} as const

interface Entry extends PerformanceResourceTiming {
  /** Only of navigation entries. */
  readonly type: string
  /** Only of layout shifts. */
  readonly value: number
  readonly hadRecentInput: boolean
  /** Only of input events. */
  readonly interactionId: number
}

/**
 * Records what the browser measures: page loading, resources, and the vitals known while the page
 * is in use. `network.ts` records the requests of scripts. Returns a function that records memory
 * use, and one that stops.
 */
export function watchPerformance(
  recorder: Recorder,
  keepQuery: readonly string[] | undefined,
): { readonly undo: () => void; readonly addMemory: () => void } {
  const best: Record<string, number> = {}
  let shift = { value: 0, firstAt: 0, lastAt: -Infinity }

  function add(
    op: string,
    description: string,
    data: object,
    fromMs = performance.now(),
    tookMs = 0,
  ): void {
    const startMs = performance.timeOrigin + fromMs
    addSpan(recorder, op, description, data, startMs, startMs + tookMs)
  }
  function addVital(name: keyof typeof vitals, value: number): void {
    if (value <= (best[name] ?? 0)) return
    best[name] = value
    const [good, poor] = vitals[name]
    const rating = value <= good ? 'good' : value <= poor ? 'needs-improvement' : 'poor'
    add('web-vital', name, { value, size: value, rating, nodeIds: [], attributions: [] })
  }
  const readers: Readonly<Record<string, (entry: Entry) => void>> = {
    navigation: (entry) => addLoad(`navigation.${entry.type}`, entry),
    resource(entry) {
      const kind = entry.initiatorType
      if (!/^(fetch|xmlhttprequest|beacon)$/.test(kind)) addLoad(`resource.${kind}`, entry)
    },
    paint: ({ name, startTime }) => add('paint', name, {}, startTime),
    'largest-contentful-paint': (entry) => addVital('largest-contentful-paint', entry.startTime),
    event: (entry) => entry.interactionId && addVital('interaction-to-next-paint', entry.duration),
    'layout-shift'({ startTime, value, hadRecentInput }) {
      if (hadRecentInput) return
      // Shifts less than a second apart, over at most five seconds, count together.
      const isSame = startTime - shift.lastAt < 1000 && startTime - shift.firstAt < 5000
      if (!isSame) shift = { value: 0, firstAt: startTime, lastAt: 0 }
      shift.value += value
      shift.lastAt = startTime
      addVital('cumulative-layout-shift', shift.value)
    },
  }
  function addLoad(op: string, entry: Entry): void {
    const data = { size: entry.transferSize, statusCode: entry.responseStatus }
    add(op, cleanAddress(entry.name, keepQuery), data, entry.startTime, entry.duration)
  }

  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) guard(() => readers[entry.entryType]?.(entry as Entry))
  })
  for (const type in readers) guard(() => observer.observe({ type, buffered: true }))
  return {
    undo: () => observer.disconnect(),
    addMemory() {
      const { memory } = performance as { memory?: Readonly<Record<string, number>> }
      if (!memory) return
      const { jsHeapSizeLimit, totalJSHeapSize, usedJSHeapSize } = memory
      add('memory', 'memory', { memory: { jsHeapSizeLimit, totalJSHeapSize, usedJSHeapSize } })
    },
  }
}
