import { maskPath } from '@afterimage/sdk-core/clean-address'
import { guard } from '@afterimage/sdk-core/guard'
import { listen } from '@afterimage/sdk-core/listen'
import { describePage } from '@afterimage/sdk-core/page-request'
import { watchHistory } from '@afterimage/sdk-core/watch/history'
import { documentTiming, epochOf, now, setClock } from './clock.ts'
import { createIdle } from './idle.ts'
import type { IdleRoot } from './idle.ts'
import { pagesMax, redirectMs } from './limits.ts'
import { isOver } from './span.ts'
import type { Attributes, Segment } from './span.ts'
import { addSpan, openSegment, setTrace, state } from './tracer.ts'
import { continuedTrace, createTrace } from './trace.ts'
import type { NameSource } from '@afterimage/protocol/transaction'

/** A page's name, and other options of its root. */
export interface PageStart {
  /** By default the one of the route manifest. */
  readonly name?: string
  readonly source?: NameSource
  readonly attributes?: Attributes
}

/** A page in which an interaction may have happened. */
interface VisitedPage {
  name: string
  readonly startedAt: number
}

let open: IdleRoot | null = null
/**
 * The segment of the document itself: of its load, or of its return from the back/forward cache.
 */
let documentSegment: Segment | null = null
let visited: VisitedPage[] = []
let pressedAt = -Infinity

/** Measures page loads and navigations. */
export function watchPages(): (() => void)[] {
  visited = []
  documentSegment = null
  const { pageLoad = true, navigation = true } = state.options
  if (pageLoad) startPageLoad()
  return [
    listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') hide()
    }),
    listen(window, 'pagehide', hide),
    ...['click', 'keydown'].map((type) => listen(window, type, () => (pressedAt = now()))),
    ...(navigation
      ? [
          watchHistory(({ from, to, type }) => {
            // A change of the fragment alone is not a navigation, except for routers that keep the
            // route there.
            if (page(from) !== page(to)) startNavigation({}, type)
          }),
          listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
            if (!persisted) return
            startNavigation({}, 'bfcache')
            documentSegment = open?.root.segment ?? null
          }),
        ]
      : []),
    () => {
      finish('closed')
    },
  ]
}

function page(address: string): string {
  return address.replace(/#(?![/!]).*/, '')
}

function hide(): void {
  if (!open) return
  open.root.setStatus('cancelled')
  open.root.setAttributes({ 'sentry.cancellation_reason': 'document.hidden' })
  finish('documentHidden')
}

function finish(reason: string): void {
  open?.finish(reason)
  open = null
}

/**
 * Begins the root of the page load, at the start of the document or when it was shown. It continues
 * the trace that the server named in `meta` tags or `Server-Timing`. `browserTracing` calls this
 * unless told otherwise.
 */
export function startPageLoad(start: PageStart = {}): void {
  guard(() => {
    const timing = documentTiming()
    setTrace(
      continuedTrace(fromServer('sentry-trace', timing), fromServer('baggage', timing)) ??
        createTrace(),
    )
    begin('pageload', start, epochOf(timing?.activationStart ?? 0))
    documentSegment = open!.root.segment
  })
}

function fromServer(name: string, timing: PerformanceNavigationTiming | undefined): string | null {
  const tag = document.querySelector(`meta[name="${name}"]`)
  const entry = timing?.serverTiming?.find((it) => it.name === name)
  return tag?.getAttribute('content') ?? entry?.description ?? null
}

/**
 * Begins the root of a navigation, in a trace of its own. A change soon after the last, without a
 * click or key since, was a redirect and becomes part of it. `browserTracing` calls this unless
 * told otherwise.
 */
export function startNavigation(start: PageStart = {}, type = 'push'): void {
  guard(() => {
    const at = now()
    const segment = open?.root.segment
    if (segment && !isOver(segment)) {
      const sinceStart = at - open!.root.startedAt
      if (type !== 'bfcache' && sinceStart <= redirectMs && at - pressedAt > redirectMs) {
        addSpan(segment, at, {
          op: 'navigation.redirect',
          startedAt: at,
          origin: 'auto.navigation.browser',
          ...named(start),
        })
        return
      }
      finish('cancelled')
    }
    setClock()
    setTrace(createTrace())
    const attributes = { 'navigation.type': type, ...start.attributes }
    begin('navigation', { ...start, attributes }, now())
    const idle = open!
    // Without children a navigation ends when it could be seen.
    requestAnimationFrame(() => setTimeout(() => (idle.readyAt = now())))
  })
}

function named(start: PageStart): { name: string; source: NameSource } {
  const { name, source = 'custom' } = start
  if (name !== undefined) return { name, source }
  const path = location.pathname.replace(/(.)\/$/, '$1')
  const route = guard(() => state.options.nameOfPath?.(path))
  return route ? { name: route, source: 'route' } : { name: maskPath(path), source: 'url' }
}

function begin(op: string, start: PageStart, startedAt: number): void {
  const root = openSegment({
    ...named(start),
    op,
    startedAt,
    origin: `auto.${op}.browser`,
    attributes: start.attributes ?? {},
  })
  const { segment } = root
  segment.trace.spanId = root.spanId
  segment.request = describePage(state.options.keepQuery)
  state.current = segment
  visited.push({ name: root.name, startedAt })
  visited.splice(0, visited.length - pagesMax)
  open = createIdle(root, state.options)
}

/** Names the page that is open, by the route which its router has found; without one nothing changes. */
export function namePage(name: string): void {
  if (!open || isOver(open.root.segment)) return
  open.root.setName(name, 'route')
  visited.at(-1)!.name = open.root.name
}

/** Returns the segment that web vitals belong to. */
export function pageOfVitals(): Segment | null {
  return documentSegment
}

/** Returns the name of the page shown at a time; undefined where none was measured. */
export function pageNameAt(time: number): string | undefined {
  return visited.findLast((it) => it.startedAt <= time)?.name
}
