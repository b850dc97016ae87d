import { routeNames } from '@afterimage/browser/route-names'
import type { RouteManifest } from '@afterimage/browser/route-names'
import { maskPath } from '@afterimage/sdk-core/clean-address'
import { dynamicRoute } from './route-pattern.ts'

/** `url` for a raw path, `route` for one with parameters. */
export interface PageName {
  readonly name: string
  readonly source: 'url' | 'route'
}

/**
 * Names a page (docs/specification.md#s9): with an empty manifest by its raw path, whose secrets are
 * masked. With one, by the route that the manifest names, else by the one among `pages`, the
 * framework's own list of the pages mode.
 */
export function pageName(
  path: string,
  manifest: RouteManifest,
  pages: readonly string[] = [],
): PageName {
  const raw = path.replace(/(.)\/$/, '$1')
  const { staticRoutes = [], dynamicRoutes = [] } = manifest
  const isEmpty = staticRoutes.length + dynamicRoutes.length === 0
  if (isEmpty || staticRoutes.some((route) => route.path === raw))
    return { name: maskPath(raw), source: 'url' }
  const route = routeNames(manifest)(raw) ?? routeNames(manifestOf(pages))(raw)
  return route === null ? { name: maskPath(raw), source: 'url' } : { name: route, source: 'route' }
}

function manifestOf(pages: readonly string[]): RouteManifest {
  return {
    staticRoutes: pages.filter((page) => !page.includes('[')).map((page) => ({ path: page })),
    dynamicRoutes: pages.flatMap((page) => dynamicRoute(page) ?? []),
  }
}
