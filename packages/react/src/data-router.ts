import { guard } from '@afterimage/sdk-core/guard'
import { joined, routeName } from './route-name.ts'
import type { RouteMatch } from './route-name.ts'
import { announcePage, nameRoute, showPage } from '@afterimage/browser/routed-pages'

interface RouterLocation {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

interface RouterState {
  readonly location: RouterLocation
  readonly matches: readonly RouteMatch[]
  /** The page that is being loaded; its matches are there since React Router 7.18. */
  readonly navigation: {
    readonly location?: RouterLocation | undefined
    readonly matches?: readonly RouteMatch[] | undefined
  }
  readonly errors?: Readonly<Record<string, unknown>> | null
}

/** The members that we use of a router of `createBrowserRouter` or `createHashRouter`. */
export interface DataRouter {
  readonly basename?: string | undefined
  readonly state: RouterState
  subscribe(listener: (state: RouterState) => void): () => void
  createHref(location: never): string
}

/**
 * Begins the navigations of a data router, with the requests of their loaders, and names pages by
 * their routes: `const router = traceRouter(createBrowserRouter(routes))`. Returns the router.
 */
export function traceRouter<R extends DataRouter>(router: R): R {
  guard(() => {
    name(router, router.state)
    router.subscribe((state) => guard(() => follow(router, state)))
  })
  return router
}

function follow(router: DataRouter, state: RouterState): void {
  const { location, matches } = state.navigation
  if (location !== undefined) {
    announcePage(hrefOf(router, location), withBase(router, routeName(matches)))
    return
  }
  showPage()
  name(router, state)
}

function name(router: DataRouter, { location, matches, errors }: RouterState): void {
  const route = isUnknown(errors) ? undefined : withBase(router, routeName(matches))
  if (route !== undefined) nameRoute(hrefOf(router, location), route)
}

function hrefOf(router: DataRouter, location: RouterLocation): string {
  return router.createHref(location as never)
}

function withBase({ basename = '' }: DataRouter, route: string | undefined): string | undefined {
  return route === undefined ? undefined : joined(basename, route)
}

/** Tells whether no route matched: the router's own 404, and not that of a loader. */
function isUnknown(errors: RouterState['errors']): boolean {
  return Object.values(errors ?? {}).some((error) => {
    const { status, internal } = (error ?? {}) as Readonly<Record<string, unknown>>
    return status === 404 && internal === true
  })
}
