import type { Integration } from '@afterimage/browser'
import { announcePage, nameRoute, routerTracing, showPage } from '@afterimage/browser/routed-pages'
import { browserTracing as plainTracing } from '@afterimage/browser/tracing'
import type { TracingOptions } from '@afterimage/browser/tracing'
import { captureThrown } from '@afterimage/sdk-core/api'

/** A page as Vue Router knows it. */
interface Route {
  readonly fullPath: string
  /** The path with the base of the router; its types do not have it. */
  readonly href?: string
  /** The records that it matches, the innermost last. */
  readonly matched: readonly { readonly path: string }[]
}

/** A router of Vue Router 4 or 5, as far as it is used. */
interface Router {
  readonly currentRoute: { readonly value: Route }
  beforeEach(guard: (to: Route) => void): () => void
  afterEach(hook: (to: Route, from: Route, failure?: unknown) => void): () => void
  onError(handler: (error: unknown) => void): () => void
}

export interface VueTracingOptions extends TracingOptions {
  /** Without one this is `browserTracing` of `@afterimage/browser/tracing`. */
  readonly router?: Router
}

/**
 * Measures page loads, navigations and the rest of tracing. With a router, pages have the names of
 * their routes, as `/users/:id`; a navigation begins before its lazy components and the guards that
 * are added later; errors of the router are reported and logged.
 */
export function browserTracing({ router, ...options }: VueTracingOptions = {}): Integration {
  if (router === undefined) return plainTracing(options)
  const tracing = routerTracing(options)
  return {
    ...tracing,
    setup: (client) => [...(tracing.setup?.(client) ?? []), ...follow(router)],
  }
}

function follow(router: Router): (() => void)[] {
  const { value: shown } = router.currentRoute
  let isLoaded = shown.matched.length > 0
  let pending: Route | null = null
  if (isLoaded) name(shown)
  return [
    router.beforeEach((to) => {
      pending = to
      if (isLoaded) announcePage(hrefOf(to), routeOf(to))
      else name(to)
    }),
    router.afterEach((to, _from, failure) => {
      // A newer navigation has taken its place.
      if (to !== pending) return
      pending = null
      showPage()
      if (failure !== undefined) return
      isLoaded = true
      name(to)
    }),
    router.onError((error) => {
      showPage()
      captureThrown(error, { mechanism: { type: 'vue.router', handled: false } })
      // The router itself logs only where nobody listens.
      console.error(error)
    }),
  ]
}

function name(page: Route): void {
  const route = routeOf(page)
  if (route !== undefined) nameRoute(hrefOf(page), route)
}

/** Returns the pattern of a route without the expressions of its parameters; undefined without one. */
function routeOf({ matched }: Route): string | undefined {
  return matched.at(-1)?.path.replace(/\((?:\\.|[^)\\])*\)/g, '')
}

function hrefOf({ href, fullPath }: Route): string {
  return href ?? fullPath
}
