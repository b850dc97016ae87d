import type { SpanPayload } from '@afterimage/protocol/span'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { describeElement } from '@afterimage/sdk-core/describe-element'
import { guard } from '@afterimage/sdk-core/guard'
import { createId } from '@afterimage/protocol/ids'
import { matches } from '@afterimage/sdk-core/matches'
import { epochOf } from './clock.ts'
import { vitalMsMax } from './limits.ts'
import { measureVitals } from './measure-vitals.ts'
import type { Measured, VitalName } from './measure-vitals.ts'
import { pageNameAt, pageOfVitals } from './pages.ts'
import { createSpan, isOver, permitted, spanPayload } from './span.ts'
import type { Attributes, Segment } from './span.ts'
import { state, withSpan } from './tracer.ts'

/**
 * Reports LCP, CLS, INP and FCP of the document; `timeline.ts` adds TTFB. Values known while the
 * page load is open are its measurements. Later ones, and INP always, are spans of their own that
 * name the page load. A value that grows after it was sent is sent again under the same span id.
 */
export function watchVitals(): void {
  if (isWatched) return
  isWatched = true
  guard(() => measureVitals(report))
}

/** Set once: vitals are measured as long as the document lives. */
let isWatched = false
let page: Segment | null = null
let ids: Record<string, string> = {}
let late: SpanPayload[] = []

function report(name: VitalName, measured: Measured): void {
  const current = pageOfVitals()
  const vital = describeVital(name, measured)
  if (!current?.isSampled || vital.measured > vitalMsMax) return
  if (page !== current) ids = {}
  page = current
  if (!isOver(page) && vital.name !== 'inp') {
    Object.assign(page.measurements, vital.measurements)
    page.spans[0]!.setAttributes(vital.attributes)
    return
  }
  const id = (ids[vital.name] ??= createId(8))
  // Values reported at one moment, as at the end of a page, are sent together.
  if (late.push(lateSpan(page, id, vital)) === 1) queueMicrotask(() => guard(send))
}

function send(): void {
  const spans = late
  late = []
  const root = page!.spans[0]!
  const { client, options } = state
  if (!client) return
  if (matches(root.name, options.ignoreTransactions)) {
    client.discard('event_processor', { span: spans.length })
    return
  }
  const items = spans.flatMap((it) => {
    const span = permitted(it, options)
    return span ? [{ header: { type: 'span' }, payload: JSON.stringify(span) }] : []
  })
  client.discard('before_send', { span: spans.length - items.length })
  if (!items[0]) return
  const trace = withSpan(root, client.trace).sampling
  void client.send(items, { trace })
}

interface Vital {
  readonly name: string
  /** Ms; a ratio for CLS. */
  readonly measured: number
  readonly op: string
  readonly element: string | undefined
  readonly startedAt: number
  readonly measurements: Segment['measurements']
  readonly attributes: Attributes
}

function describeVital(name: VitalName, { value, entry }: Measured): Vital {
  const { keepQuery } = state.options
  const isShift = name === 'cls'
  const node = entry?.element ?? entry?.target ?? entry?.sources?.find((it) => it.node)?.node
  const target = node instanceof Element ? node : node?.parentElement
  const element = target ? describeElement(target, state.client?.labels) : undefined
  const unit = isShift ? '' : 'millisecond'
  const paint = name === 'fcp' && performance.getEntriesByName('first-paint')[0]
  const interaction = `ui.interaction.${entry?.name?.startsWith('key') ? 'press' : 'click'}`
  return {
    name,
    measured: value,
    op: name === 'inp' ? interaction : `ui.webvital.${name}`,
    element,
    startedAt: epochOf(entry?.startTime ?? 0),
    measurements: {
      [name]: { value, unit },
      ...(paint && { fp: { value: paint.startTime, unit } }),
    },
    attributes: {
      [isShift ? 'cls.source.1' : `${name}.element`]: element,
      'lcp.url': entry?.url && cleanAddress(entry.url, keepQuery),
      'lcp.size': entry?.size,
    },
  }
}

/** Returns the older format of a single span, which servers of all versions accept. */
function lateSpan(page: Segment, spanId: string, vital: Vital): SpanPayload {
  const { spanId: pageId, name: pageName } = page.spans[0]!
  const { release, environment } = state.options
  const { name, measured, op, element, startedAt, measurements, attributes } = vital
  const durationMs = name === 'inp' ? measured : 0
  const given = {
    name: element ?? pageName,
    op,
    origin: `auto.http.browser.${name}`,
    startedAt,
    parentSpanId: pageId,
    attributes: {
      ...attributes,
      // An interaction belongs to the page on which it happened, other vitals to the first page of
      // the document.
      transaction: (durationMs && pageNameAt(startedAt)) || pageName,
      release,
      environment,
      'user_agent.original': navigator.userAgent,
      'sentry.pageload.span_id': pageId,
    },
  }
  const span = createSpan(page, given, () => undefined)
  span.end(startedAt + durationMs)
  return {
    ...spanPayload(span),
    span_id: spanId,
    segment_id: pageId,
    exclusive_time: durationMs,
    measurements,
  }
}
