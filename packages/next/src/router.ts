import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import type { Client } from '@afterimage/sdk-core/client'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import {
  getActiveSpan,
  startInactiveSpan,
  startNavigation,
  startPageLoad,
} from '@afterimage/browser/tracing'
import type { RouteManifest } from '@afterimage/browser/route-names'
import { watchHistory } from '@afterimage/sdk-core/watch/history'
import { isNotFoundShown } from './not-found-shown.ts'
import { pageName } from './page-name.ts'
import { documentPage, sortedPages, watchPagesRouter } from './pages-router.ts'
import { watchShown } from './shown.ts'

export interface RouterOptions {
  readonly routeManifest: RouteManifest
  /** True if page loads and navigations are measured; names are set in any case. */
  readonly isTraced: boolean
}

/** A page that was begun and is not drawn yet. */
interface Awaited {
  /** Id of the root span that measures it. */
  readonly rootId: string
  /** A navigation that is never drawn does not count; a document was at least readable. */
  isDiscarded: boolean
  /** Keeps its root open until it is drawn. */
  end(): void
}

/** Begins a navigation; null where none is measured. */
let navigate: ((url: string, type: string) => void) | null = null
let awaited: Awaited | null = null

/** Next calls this when a transition of the app mode begins: it is an export of `instrumentation-client`. */
export function onRouterTransitionStart(url: string, type: string): void {
  guard(() => navigate?.(url, `router.${type}`))
}

/** Says that the page which was begun will not be drawn: it is not a transaction then. */
export function discardPage(): void {
  if (awaited !== null) awaited.isDiscarded = true
}

/**
 * Page loads and navigations of both router modes, named by the manifest
 * (docs/specification.md#s9). Each lasts at least until it is drawn. Transactions of the 404 page
 * (docs/specification.md#s10) and of navigations that were never drawn are discarded. Every error
 * says on which page it happened.
 */
export function nextRouter({ routeManifest, isTraced }: RouterOptions): Integration {
  let client: Client | undefined
  /** Path and query of the newest page that was begun. */
  let newest = ''
  const name = (path: string) => pageName(path, routeManifest, sortedPages())

  function begin(url: string, type: string): void {
    const { href, pathname, search } = new URL(url, location.href)
    newest = pathname + search
    const address = cleanAddress(href, client?.options.keepQuery)
    startNavigation({ ...name(pathname), attributes: { 'url.full': address } }, type)
  }

  /** Handles changes of the address that the routers have not announced. */
  function onAddress(url: string, type: string): void {
    if (type === 'pop' && isOfRouter(history.state)) return
    const { pathname, search } = new URL(url)
    if (pathname + search !== newest) begin(url, type)
  }

  function beginAwaited(url: string, type: string): void {
    begin(url, type)
    awaitPage('Transition', true)
  }

  function measure(): (() => void)[] {
    newest = location.pathname + location.search
    startPageLoad(name(location.pathname))
    awaitPage('Hydration', false)
    navigate = beginAwaited
    return [
      () => void (navigate = awaited = null),
      watchHistory(({ to, type }) => onAddress(to, type)),
      listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
        if (persisted) begin(location.href, 'bfcache')
      }),
      watchShown(onShown),
    ]
  }

  return {
    name: 'nextRouter',
    setup(started) {
      client = started
      return [
        ...(isTraced ? measure() : []),
        watchPagesRouter({
          onStart: (url) => void (isTraced && beginAwaited(url, 'router.push')),
          onShown,
        }),
      ]
    },
    processEvent(event) {
      if (event.type === undefined) {
        event.transaction ??= name(location.pathname).name
        return event
      }
      return event.type === 'transaction' ? forTransaction(event) : event
    },
  }
}

/** Tells whether a router made this entry of the history, and so announces going back to it. */
function isOfRouter(state: unknown): boolean {
  return typeof state === 'object' && state !== null && ('__NA' in state || '__N' in state)
}

/** Awaits a page. A start while another page is awaited may be its redirect, and keeps its root. */
function awaitPage(title: string, isDiscarded: boolean): void {
  const root = getActiveSpan()
  if (root === null || awaited?.rootId === root.spanId) return
  const span = startInactiveSpan({ name: title, op: 'ui.shown', origin: 'auto.ui.next' })
  awaited = { rootId: root.spanId, isDiscarded, end: () => span.end() }
}

function onShown(): void {
  awaited?.end()
  awaited = null
}

function forTransaction(event: SdkEvent): SdkEvent | null {
  const trace = (event.contexts?.trace ?? {}) as {
    readonly op?: string
    readonly span_id?: string
    readonly data?: Readonly<Record<string, unknown>>
  }
  if (/^\/(404|_not-found)$/.test(event.transaction ?? '') || isNotFoundPage(trace.op)) return null
  if (awaited?.isDiscarded === true && awaited.rootId === trace.span_id) return null
  // A navigation begins while the page before is still shown.
  if (trace.op === 'navigation' && typeof trace.data?.['url.full'] === 'string') {
    event.request = { ...event.request, url: trace.data['url.full'] }
  }
  return event
}

/** Tells whether the 404 page is shown, by its component or by the document's status. */
function isNotFoundPage(op: string | undefined): boolean {
  if (isNotFoundShown()) return true
  if (op !== 'pageload') return false
  const [timing] = performance.getEntriesByType('navigation')
  const { responseStatus } = (timing ?? {}) as { readonly responseStatus?: number }
  return responseStatus === 404 || documentPage() === '/404'
}
