'use client'

import { createContext, createElement, useContext, useEffect, useLayoutEffect } from 'react'
import type { ComponentType, FunctionComponent, ReactElement, ReactNode } from 'react'
import { joined, routeName } from './route-name.ts'
import type { RouteMatch } from './route-name.ts'
import { nameRoute } from '@afterimage/browser/routed-pages'

interface RouterLocation {
  readonly pathname: string
}

interface PathMatch extends RouteMatch {
  readonly pathnameBase: string
}

/** Functions of React Router, of the application's own version. */
export interface RouterFunctions {
  useLocation(): RouterLocation
  matchRoutes(routes: never, path: string): readonly PathMatch[] | null
}

/** Routes around others, as far as those add to their names. */
interface Outer {
  /** Their route, without the `*` of what follows. */
  readonly route: string
  /** The part of the path that they matched. */
  readonly path: string
  readonly depth: number
}

const OuterRoutes = createContext<Outer>({ route: '', path: '', depth: 0 })

/** Effects of this kind run before those that navigate on; on a server there are none. */
const useCommitted = typeof document === 'undefined' ? useEffect : useLayoutEffect

interface RoutesProps {
  readonly children?: ReactNode
  readonly location?: Partial<RouterLocation> | string
}

/**
 * Wraps the component `Routes`, so that pages are named by the route it draws:
 * `traceRoutes(Routes, { createRoutesFromChildren, matchRoutes, useLocation })`.
 */
export function traceRoutes<P extends RoutesProps>(
  Routes: ComponentType<P>,
  functions: RouterFunctions & { createRoutesFromChildren(children: ReactNode): unknown[] },
): FunctionComponent<P> {
  const useRouteName = routeNaming(functions)
  function TracedRoutes(props: P): ReactNode {
    const inner = useRouteName(functions.createRoutesFromChildren(props.children), props.location)
    return createElement(OuterRoutes.Provider, { value: inner }, createElement(Routes, props))
  }
  TracedRoutes.displayName = 'TracedRoutes'
  return TracedRoutes
}

/** Does the same with the hook `useRoutes`: `traceUseRoutes(useRoutes, { matchRoutes, useLocation })`. */
export function traceUseRoutes<Route, Location extends Partial<RouterLocation> | string>(
  useRoutes: (routes: Route[], location?: Location) => ReactElement | null,
  functions: RouterFunctions,
): (routes: Route[], location?: Location) => ReactElement {
  const useRouteName = routeNaming(functions)
  return function useTracedRoutes(routes, location) {
    const inner = useRouteName(routes, location)
    const drawn = useRoutes(routes, location)
    return createElement(OuterRoutes.Provider, { value: inner }, drawn)
  }
}

/** Makes the hook that names the page, and returns what the routes inside of these build on. */
function routeNaming({ useLocation, matchRoutes }: RouterFunctions) {
  return function useRouteName(
    routes: unknown[],
    given: Partial<RouterLocation> | string | undefined,
  ): Outer {
    const outer = useContext(OuterRoutes)
    const current = useLocation()
    const { pathname = '/' } =
      typeof given === 'string' ? new URL(given, 'http://router') : (given ?? current)
    const matches = matchRoutes(routes as never, pathname.slice(outer.path.length) || '/')
    const own = routeName(matches)
    const route = own === undefined ? undefined : joined(outer.route, own)
    // After each rendering: the address may change while the route stays.
    useCommitted(() => {
      if (route !== undefined) {
        nameRoute(location.href, joined(baseOf(pathname), route), outer.depth)
      }
    })
    return {
      route: (route ?? outer.route).replace(/\/\*$/, ''),
      path: outer.path + (matches?.at(-1)?.pathnameBase ?? '').replace(/\/$/, ''),
      depth: outer.depth + 1,
    }
  }
}

/** Returns the part of the document's path that the router leaves out: its `basename`. */
function baseOf(pathname: string): string {
  const { pathname: whole } = location
  if (pathname === '/') return whole
  return whole.endsWith(pathname) ? whole.slice(0, -pathname.length) : ''
}
