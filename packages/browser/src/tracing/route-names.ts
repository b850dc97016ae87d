import { guard } from '@afterimage/sdk-core/guard'

/** The routes of an application, as its framework names them. */
export interface RouteManifest {
  readonly staticRoutes?: readonly { readonly path: string }[]
  readonly dynamicRoutes?: readonly DynamicRoute[]
}

/** `path` writes parameters as `:id`, catch-all ones as `:id*`, optional catch-all ones as `:id*?`. */
export interface DynamicRoute {
  readonly path: string
  /** Matches the addresses of this route, without `/` at the end. */
  readonly regex: string
}

/**
 * Names pages by the routes of a manifest, for the option `nameOfPath`. A path takes the name of the
 * most specific dynamic route that it matches; null for a static route or no match.
 * @see docs/specification.md#s9
 */
export function routeNames({
  staticRoutes = [],
  dynamicRoutes = [],
}: RouteManifest): (path: string) => string | null {
  return (path) => {
    if (staticRoutes.some((route) => route.path === path)) return null
    return mostSpecific(dynamicRoutes, path)?.path ?? null
  }
}

function mostSpecific(routes: readonly DynamicRoute[], path: string): DynamicRoute | undefined {
  let best: DynamicRoute | undefined
  for (const route of routes) {
    // An invalid pattern matches nothing.
    const isMatch = guard(() => new RegExp(route.regex).test(path), false)
    if (isMatch && (!best || vagueness(route.path) < vagueness(best.path))) best = route
  }
  return best
}

/** Weighs parameters 10, catch-all ones 100, optional catch-all ones 1000. */
function vagueness(path: string): number {
  return path
    .split('/')
    .filter((part) => part.startsWith(':'))
    .reduce((sum, part) => sum + (part.endsWith('*?') ? 1000 : part.endsWith('*') ? 100 : 10), 0)
}
