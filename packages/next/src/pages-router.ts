import { captureThrown } from '@afterimage/sdk-core/api'
import { guard } from '@afterimage/sdk-core/guard'
import { routerPollMs, routerPollsMax } from './limits.ts'

/**
 * The members that we use of the pages mode's router, which Next leaves at `window.next.router`.
 */
interface PagesRouter {
  readonly events: {
    on(name: string, listener: (...values: never[]) => void): void
    off(name: string, listener: (...values: never[]) => void): void
  }
}

interface NextWindow {
  readonly next?: { readonly router?: Partial<PagesRouter> }
  readonly __NEXT_DATA__?: { readonly page?: string }
  readonly __BUILD_MANIFEST?: { readonly sortedPages?: readonly string[] }
}

export interface PagesRouterListener {
  /** A transition begins; the page before it is still shown. */
  onStart(url: string): void
  /** Its page has been drawn. */
  onShown(): void
}

/**
 * Listens to the router of the pages mode from its first page on. Errors of a transition are
 * captured: the router continues with a hard navigation, and nobody else sees them.
 */
export function watchPagesRouter({ onStart, onShown }: PagesRouterListener): () => void {
  if (document.querySelector('#__NEXT_DATA__') === null) return () => undefined
  const listeners: Readonly<Record<string, (...values: never[]) => void>> = {
    routeChangeStart: (url: string) => guard(() => onStart(url)),
    routeChangeComplete: () => guard(onShown),
    hashChangeComplete: () => guard(onShown),
    routeChangeError: (error: unknown) =>
      void captureThrown(error, { mechanism: { type: 'next.route_change', handled: true } }),
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  let undo: (() => void) | undefined
  let polls = 0

  function look(): void {
    const events = (globalThis as NextWindow).next?.router?.events
    if (events !== undefined) {
      for (const name in listeners) events.on(name, listeners[name]!)
      undo = () => {
        for (const name in listeners) events.off(name, listeners[name]!)
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

/** The page of the pages mode that this document is, as its file is named; undefined in the app mode. */
export function documentPage(): string | undefined {
  const { __NEXT_DATA__: data } = globalThis as NextWindow
  return data?.page
}

/** The pages that the pages mode has, as far as is known yet. */
export function sortedPages(): readonly string[] {
  const { __BUILD_MANIFEST: manifest } = globalThis as NextWindow
  const page = documentPage()
  // The manifest comes after the first page, which the document itself names.
  return manifest?.sortedPages ?? (page === undefined ? [] : [page])
}
