import type { DynamicRoute } from '@afterimage/browser/route-names'

/**
 * A route as Next writes it (`/u/[id]`, `/docs/[...path]`, `/[[...path]]`), as manifests do. Null
 * when it has no parameter.
 */
export function dynamicRoute(route: string): DynamicRoute | null {
  const parts = route.split('/').filter((part) => part !== '')
  if (!parts.some((part) => part.startsWith('['))) return null
  let path = ''
  let regex = '^'
  for (const part of parts) {
    const [, optionalName] = /^\[\[\.\.\.(.+)\]\]$/.exec(part) ?? []
    const [, restName] = /^\[\.\.\.(.+)\]$/.exec(part) ?? []
    const [, name] = /^\[(.+)\]$/.exec(part) ?? []
    if (optionalName !== undefined) {
      path += `/:${optionalName}*?`
      regex += '(?:/.+)?'
    } else if (restName !== undefined) {
      path += `/:${restName}*`
      regex += '/.+'
    } else if (name === undefined) {
      path += `/${part}`
      regex += `/${part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`
    } else {
      path += `/:${name}`
      regex += '/[^/]+'
    }
  }
  // The root of a site keeps its slash, which an optional rest alone would not match.
  return { path, regex: regex.startsWith('^(?:') ? `${regex}/?$` : `${regex}$` }
}
