import { cleanAddress, maskPath } from '@afterimage/sdk-core/clean-address'
import type { Client } from '@afterimage/sdk-core/client'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import { watchHistory } from '@afterimage/sdk-core/watch/history'
import { browserTracing } from './browser-tracing.ts'
import { namePage, startNavigation, startPageLoad } from './pages.ts'
import type { PageStart } from './pages.ts'
import type { Span } from './span.ts'
import { getActiveSpan, openSpan } from './tracer.ts'
import type { TracingOptions } from './tracing-options.ts'

/**
 * Page loads and navigations of a router. It may announce a navigation before the address changes,
 * so that the requests of its loaders belong to it, and names a page when its route is known.
 */

interface RoutedPage {
  /** Absolute, without the fragment, unless a router keeps the route there. */
  readonly address: string
  /** Undefined until the router has named it. */
  readonly route?: string | undefined
  /** Number of routers around the one that named it. */
  readonly depth: number
}

/** The client whose navigations are measured here. */
let client: Client | null = null
let nameOfPath: TracingOptions['nameOfPath']
/** The page that was begun last. */
let newest: RoutedPage = { address: '', depth: 0 }
/** The page that was shown when one was announced, which may never come. */
let shown = newest
/** Keeps the page that was announced open until it is shown. */
let awaited: Span | null = null
/** True if there was a click or a key since a page was announced. */
let isPressed = false

/**
 * Measures what `browserTracing` does, and stands in its place: navigations begin when the router
 * says so, and every error says on which route it happened.
 */
export function routerTracing(options: TracingOptions = {}): Integration {
  const tracing = browserTracing({ ...options, pageLoad: false, navigation: false })
  const { pageLoad = true, navigation = true } = options
  return {
    ...tracing,
    setup(started) {
      const undo = tracing.setup?.(started) ?? []
      nameOfPath = options.nameOfPath
      newest = { address: addressOf(location.href), depth: 0 }
      if (pageLoad) startPageLoad(named(newest))
      return [...undo, ...(navigation ? watchNavigations(started) : [])]
    },
    processEvent(event, hint, started) {
      const kept = tracing.processEvent?.(event, hint, started) ?? null
      if (kept?.type === 'transaction') return withOwnAddress(kept)
      if (kept && !kept.type) kept.transaction ??= named(pageShown()).name
      return kept
    },
  }
}

function watchNavigations(started: Client): (() => void)[] {
  client = started
  return [
    watchHistory(({ to, type }) => {
      const address = addressOf(to)
      if (address === newest.address) return
      if (isRedirect()) newest = { address, depth: 0 }
      else begin(address, type)
    }),
    listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
      if (persisted) begin(addressOf(location.href), 'bfcache')
    }),
    ...['click', 'keydown'].map((type) => listen(window, type, () => (isPressed = true))),
    () => {
      client = awaited = null
    },
  ]
}

/** Begins the navigation to a page whose address is not that of the document yet. */
export function announcePage(href: string, route?: string): void {
  guard(() => {
    const address = addressOf(href)
    const isNew = address !== newest.address && address !== addressOf(location.href)
    if (isNew && isRedirect()) newest = { address, depth: 0 }
    else if (isNew && client !== null) beginAwaited(address, route)
    if (route !== undefined) nameRoute(href, route)
  })
}

/** A page that begins while another is awaited, without a click or key since, is its redirect. */
function isRedirect(): boolean {
  return awaited !== null && !isPressed
}

function beginAwaited(address: string, route?: string): void {
  showPage()
  shown = pageShown()
  begin(address, 'router', route)
  isPressed = false
  if (getActiveSpan() === null) return
  awaited = openSpan({ name: 'Transition', op: 'ui.shown', origin: 'auto.ui.router' })
}

/** Says that the page which was announced is shown, or never will be. */
export function showPage(): void {
  if (awaited === null) return
  awaited.end()
  awaited = null
  newest = pageShown()
}

/** Names the page of an address by its route; a router inside of another knows more of it. */
export function nameRoute(href: string, route: string, depth = 0): void {
  guard(() => {
    const address = addressOf(href)
    if (address !== newest.address) return
    if (newest.route !== undefined && newest.depth > depth) return
    newest = { address, route: maskPath(route), depth }
    namePage(newest.route!)
  })
}

function begin(address: string, type: string, route?: string): void {
  newest = { address, depth: 0, route: route && maskPath(route) }
  const attributes = { 'url.full': cleanAddress(address, client?.options.keepQuery) }
  startNavigation({ ...named(newest), attributes }, type)
}

function named({ address, route }: RoutedPage): Required<Pick<PageStart, 'name' | 'source'>> {
  const path = new URL(address).pathname.replace(/(.)\/$/, '$1')
  const name = route ?? guard(() => nameOfPath?.(path))
  return name ? { name, source: 'route' } : { name: maskPath(path), source: 'url' }
}

/** Returns the page of the document's address, which an announced one may never have become. */
function pageShown(): RoutedPage {
  const address = addressOf(location.href)
  return [newest, shown].find((it) => it.address === address) ?? { address, depth: 0 }
}

/** Returns an absolute address without its fragment, which names no page unless it is a path. */
function addressOf(href: string): string {
  return new URL(href, document.baseURI).href.replace(/#(?![/!]).*/, '')
}

/** A navigation begins while the page before it is still shown. */
function withOwnAddress(event: SdkEvent): SdkEvent {
  const trace = (event.contexts?.trace ?? {}) as {
    readonly data?: Readonly<Record<string, unknown>>
  }
  const address = trace.data?.['url.full']
  if (typeof address === 'string') event.request = { ...event.request, url: address }
  return event
}
