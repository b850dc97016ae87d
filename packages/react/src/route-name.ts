/** One of the nested routes that an address matches, as React Router tells it. */
export interface RouteMatch {
  readonly route: { readonly path?: string | undefined }
}

/** Joins the paths of nested routes: `/users/:id`. Undefined when nothing matched. */
export function routeName(matches: readonly RouteMatch[] | null | undefined): string | undefined {
  if (!matches || matches.length === 0) return undefined
  let name = ''
  for (const { route } of matches) {
    const { path = '' } = route
    // A nested route may repeat the whole path.
    name = path.startsWith('/') ? path : `${name}/${path}`
  }
  return joined(name)
}

/** Joins a base and a route, `/shop` and `/users/:id`. */
export function joined(...parts: readonly string[]): string {
  return `/${parts.join('/')}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')
}
