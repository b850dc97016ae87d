import type { Measurement } from '@afterimage/protocol/span'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { guard } from '@afterimage/sdk-core/guard'
import { documentTiming, epochOf } from './clock.ts'
import { shown } from './requests.ts'
import type { Segment } from './span.ts'
import { addSpan, state } from './tracer.ts'

/** Adds spans measured by the browser: the steps of a page load, resources, and long frames. */

/** Steps of a page load, by their members that end in `Start` and `End`. */
const steps = [
  'redirect',
  'domainLookup',
  'connect',
  'request',
  'response',
  'domContentLoadedEvent',
  'loadEvent',
] as const

/** Adds the page load's steps and TTFB, and the resources loaded while a page was open. */
export function addTimeline(segment: Segment): void {
  const root = segment.spans[0]!
  if (!segment.isSampled || !segment.settle) return
  const timing = documentTiming()
  if (root.op === 'pageload' && timing) {
    const { requestStart, responseStart, activationStart = 0 } = timing
    segment.measurements.ttfb = milliseconds(Math.max(responseStart - activationStart, 0))
    segment.measurements['ttfb.requestTime'] = milliseconds(responseStart - requestStart)
    for (const step of steps) {
      const start = timing[`${step}Start`]
      const end = timing[step === 'request' ? 'responseStart' : (`${step}End` as const)]
      if (end <= start) continue
      addSpan(segment, epochOf(end), {
        op: `browser.${step}`,
        name: root.name,
        startedAt: epochOf(start),
      })
    }
  }
  for (const entry of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
    const startedAt = epochOf(entry.startTime)
    const endedAt = epochOf(entry.responseEnd)
    const type = entry.initiatorType || 'other'
    if (
      startedAt < root.startedAt ||
      endedAt > root.endedAt! ||
      // Requests of scripts have spans of their own.
      /^(fetch|xmlhttprequest|beacon)$/.test(type)
    ) {
      continue
    }
    guard(() => {
      const url = new URL(entry.name)
      addSpan(segment, endedAt, {
        op: `resource.${type}`,
        name: shown(url),
        startedAt,
        attributes: {
          'http.response_transfer_size': entry.transferSize,
          'http.decoded_response_content_length': entry.decodedBodySize,
          'resource.render_blocking_status': (entry as { renderBlockingStatus?: string })
            .renderBlockingStatus,
          'url.same_origin': url.origin === location.origin,
        },
      })
    })
  }
}

function milliseconds(value: number): Measurement {
  return { value, unit: 'millisecond' }
}

/**
 * Returns an invoker such as `BUTTON#buy.onclick` unchanged; addresses, and `[src=…]`, are cleaned.
 */
function shownInvoker(invoker: string): string {
  return /^[\w#.-]*$/.test(invoker) ? invoker : cleanAddress(invoker)
}

interface LongFrame extends PerformanceEntry {
  readonly blockingDuration: number
  readonly scripts: readonly {
    readonly invoker: string
    readonly sourceURL: string
    readonly duration: number
  }[]
}

/**
 * Adds frames that blocked the page for 50 ms or more, or long tasks where the browser knows no
 * frames. `ending` adds those not reported yet. Null where a browser knows neither.
 */
export function watchLongFrames(): {
  readonly ending: () => void
  readonly stop: () => void
} | null {
  const { supportedEntryTypes } = PerformanceObserver
  const type = ['long-animation-frame', 'longtask'].find((it) => supportedEntryTypes.includes(it))
  if (!type) return null
  const observer = new PerformanceObserver((list) => add(list.getEntries()))

  function add(entries: PerformanceEntryList): void {
    const { current } = state
    for (const entry of current?.isSampled ? entries : []) {
      const startedAt = epochOf(entry.startTime)
      if (startedAt < current!.spans[0]!.startedAt) continue
      const { blockingDuration, scripts = [] } = entry as LongFrame
      // The script that took most of the frame.
      const [worst] = [...scripts].sort((one, other) => other.duration - one.duration)
      addSpan(current!, startedAt + entry.duration, {
        op: `ui.${type}`,
        name: worst ? shownInvoker(worst.invoker) : type!,
        startedAt,
        attributes: {
          'browser.blocking_duration': blockingDuration,
          'code.file.path': worst && cleanAddress(worst.sourceURL),
        },
      })
    }
  }

  observer.observe({ type, buffered: true })
  return { ending: () => add(observer.takeRecords()), stop: () => observer.disconnect() }
}
