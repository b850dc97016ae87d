import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteManifest } from '@afterimage/browser/route-names'
import { dynamicRoute } from './route-pattern.ts'

const appPage = /^page\.(?:[cm]?[jt]sx?|mdx?)$/
const pagesPage = /^(?!_)(.+?)\.(?:[cm]?[jt]sx?|mdx?)$/

/**
 * The routes of a project, both modes, as its folders `app` and `pages` (or those in `src`) say. All
 * begin with `basePath`, as addresses do.
 */
export function scanRoutes(project: string, basePath = ''): Required<RouteManifest> {
  const routes = new Set<string>()
  for (const base of [project, join(project, 'src')]) {
    scanApp(join(base, 'app'), '', routes)
    scanPages(join(base, 'pages'), '', routes)
  }
  const sorted = [...routes].map((route) => (basePath + route).replace(/(.)\/$/, '$1')).sort()
  return {
    staticRoutes: sorted.filter((path) => !path.includes('[')).map((path) => ({ path })),
    dynamicRoutes: sorted.flatMap((path) => dynamicRoute(path) ?? []),
  }
}

function scanApp(folder: string, route: string, routes: Set<string>): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    if (entry.isDirectory()) {
      // Private folders and intercepting routes have no addresses; groups and slots have no part in one.
      if (/^_|^\(\.{1,3}\)/.test(name)) continue
      const isSilent = /^\(.*\)$|^@/.test(name)
      scanApp(join(folder, name), isSilent ? route : `${route}/${name}`, routes)
    } else if (appPage.test(name)) routes.add(route === '' ? '/' : route)
  }
}

function scanPages(folder: string, route: string, routes: Set<string>): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    if (entry.isDirectory()) {
      if (`${route}/${name}` !== '/api') scanPages(join(folder, name), `${route}/${name}`, routes)
      continue
    }
    const [, page] = pagesPage.exec(name) ?? []
    if (page === undefined || (route === '' && /^(404|500)$/.test(page))) continue
    if (page === 'index') routes.add(route === '' ? '/' : route)
    else routes.add(`${route}/${page}`)
  }
}
