/** Names of pages for TanStack Router. */
import { guard } from '@afterimage/sdk-core/guard'
import { joined } from './route-name.ts'
import { announcePage, showPage } from '@afterimage/browser/routed-pages'

export { routerTracing } from '@afterimage/browser/routed-pages'

interface RouterLocation {
  readonly pathname: string
  readonly search: object
  readonly href: string
  /** With the base path; in newer versions. */
  readonly publicHref?: string
}

interface RouteMatch {
  /** The paths of the nested routes, without those of layouts that add nothing: `/users/$userId`. */
  readonly fullPath: string
}

/** The members that we use of a router of `createRouter`. */
export interface TanStackRouter {
  readonly basepath?: string
  readonly history: { createHref(href: string): string }
  matchRoutes(pathname: string, search: object): readonly RouteMatch[]
  subscribe(
    type: 'onBeforeNavigate' | 'onResolved',
    listener: (event: { readonly toLocation: RouterLocation }) => void,
  ): () => void
}

/**
 * Begins the navigations of a router, with the requests of their loaders, and names pages by their
 * routes: `const router = traceRouter(createRouter({ routeTree }))`. Returns the router.
 */
export function traceRouter<R extends TanStackRouter>(router: R): R {
  guard(() => {
    router.subscribe('onBeforeNavigate', ({ toLocation }) => {
      guard(() => announcePage(hrefOf(router, toLocation), nameOf(router, toLocation)))
    })
    router.subscribe('onResolved', () => guard(showPage))
  })
  return router
}

function hrefOf({ history }: TanStackRouter, { publicHref, href }: RouterLocation): string {
  return history.createHref(publicHref ?? href)
}

/** Returns the route of a location; undefined when there is none. */
function nameOf(router: TanStackRouter, { pathname, search }: RouterLocation): string | undefined {
  const matches = router.matchRoutes(pathname, search)
  if (matches.some(isUnknown)) return undefined
  const { fullPath } = matches.at(-1) ?? {}
  return fullPath === undefined ? undefined : joined(router.basepath ?? '', fullPath)
}

/** Tells whether no route matched, by the mark that each version has under a name of its own. */
function isUnknown(match: object): boolean {
  const { globalNotFound, _notFound } = match as Readonly<Record<string, unknown>>
  return (globalNotFound ?? _notFound) === true
}
