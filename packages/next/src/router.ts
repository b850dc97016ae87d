import { captureThrown } from '@afterimage/browser/api'
import { cleanAddress } from '@afterimage/browser/clean-address'
import type { Client } from '@afterimage/browser/client'
import type { SdkEvent } from '@afterimage/browser/event'
import { guard } from '@afterimage/browser/guard'
import type { Integration } from '@afterimage/browser/integration'
import { listen } from '@afterimage/browser/listen'
import { startNavigation, startPageLoad } from '@afterimage/browser/tracing'
import type { RouteManifest } from '@afterimage/browser/tracing/route-names'
import { watchHistory } from '@afterimage/browser/watch/history'
import { routerPollMs, routerPollsMax } from './limits.ts'
import { pageName } from './page-name.ts'

/** What we use of the router of the pages mode, which Next leaves at `window.next.router`. */
interface PagesRouter {
  readonly pathname: string
  readonly events: {
    on(name: string, listener: (...values: never[]) => void): void
    off(name: string, listener: (...values: never[]) => void): void
  }
}

interface NextWindow {
  readonly next?: { readonly router?: Partial<PagesRouter> }
  readonly __NEXT_DATA__?: {
    readonly page?: string
    readonly props?: { readonly pageProps?: { readonly statusCode?: unknown } }
  }
  readonly __BUILD_MANIFEST?: { readonly sortedPages?: readonly string[] }
}

export interface RouterOptions {
  readonly routeManifest: RouteManifest
  /** Whether page loads and navigations are measured; names are given in any case. */
  readonly isTraced: boolean
}

/** Begins a navigation; null where none is measured. */
let navigate: ((url: string, type: string) => void) | null = null

/** Next calls this when a transition of the app mode begins: it is an export of `instrumentation-client`. */
export function onRouterTransitionStart(url: string, type: string): void {
  guard(() => navigate?.(url, `router.${type}`))
}

/**
 * Page loads and navigations of both router modes, named by the manifest (S9). Transactions of the
 * 404 page are discarded (S10). Every error says on which page it happened.
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

  /** The routers tell before they begin; of what they did not tell, the address does. */
  function onAddress(url: string, type: string): void {
    const { pathname, search } = new URL(url)
    if (pathname + search !== newest) begin(url, type)
  }

  function measure(): (() => void)[] {
    newest = location.pathname + location.search
    startPageLoad(name(location.pathname))
    navigate = begin
    return [
      () => void (navigate = null),
      watchHistory(({ to, type }) => onAddress(to, type)),
      listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
        if (persisted) begin(location.href, 'bfcache')
      }),
    ]
  }

  return {
    name: 'nextRouter',
    setup(started) {
      client = started
      return [
        ...(isTraced ? measure() : []),
        watchPagesRouter((url, type) => void (isTraced && begin(url, type))),
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

function forTransaction(event: SdkEvent): SdkEvent | null {
  const { op, data } = (event.contexts?.trace ?? {}) as {
    readonly op?: string
    readonly data?: Readonly<Record<string, unknown>>
  }
  if (/^\/(404|_not-found)$/.test(event.transaction ?? '') || isNotFoundPage(op)) return null
  // A navigation begins while the page before is still shown.
  if (op === 'navigation' && typeof data?.['url.full'] === 'string') {
    event.request = { ...event.request, url: data['url.full'] }
  }
  return event
}

/** Whether what is shown is the 404 page, whatever its address says. */
function isNotFoundPage(op: string | undefined): boolean {
  const { next, __NEXT_DATA__: data } = globalThis as NextWindow
  if (data?.page === undefined) {
    const [timing] = performance.getEntriesByType('navigation')
    const { responseStatus } = (timing ?? {}) as { readonly responseStatus?: number }
    return op === 'pageload' && responseStatus === 404
  }
  const page = next?.router?.pathname ?? data.page
  return page === '/404' || (page === '/_error' && data.props?.pageProps?.statusCode === 404)
}

function sortedPages(): readonly string[] {
  const { __BUILD_MANIFEST: manifest, __NEXT_DATA__: data } = globalThis as NextWindow
  // The manifest comes after the first page; of that one the document itself says what it is.
  return manifest?.sortedPages ?? (data?.page === undefined ? [] : [data.page])
}

/** Listens to the router of the pages mode once it is there, which is when its first page is drawn. */
function watchPagesRouter(begin: (url: string, type: string) => void): () => void {
  if (!hasPagesDocument()) return () => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let undo: (() => void) | undefined
  let polls = 0

  const onStart = (url: string): void => void guard(() => begin(url, 'router.push'))
  function look(): void {
    const events = (globalThis as NextWindow).next?.router?.events
    if (events !== undefined) {
      events.on('routeChangeStart', onStart)
      events.on('routeChangeError', onError)
      undo = () => {
        events.off('routeChangeStart', onStart)
        events.off('routeChangeError', onError)
      }
      return
    }
    polls += 1
    if (polls < routerPollsMax) timer = setTimeout(look, routerPollMs)
  }
  guard(look)
  return () => {
    clearTimeout(timer)
    undo?.()
  }
}

/** The router goes on with a hard navigation, and nobody else gets to see why. */
function onError(error: unknown): void {
  captureThrown(error, { mechanism: { type: 'next.route_change', handled: true } })
}

function hasPagesDocument(): boolean {
  return document.querySelector('#__NEXT_DATA__') !== null
}
