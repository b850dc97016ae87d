import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { EventPayload } from '@afterimage/protocol/event-payload'
import type { TransactionPayload } from '@afterimage/protocol/transaction'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { bundleProject, writeProject } from './support/snippets.ts'
import { until } from './support/until.ts'

/** React Router and TanStack Router themselves, in real Chromium, with `@afterimage/react`. */

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
/** The routers' own React must be that of the page. */
const oneReact = { react: join(modules, 'react'), 'react-dom': join(modules, 'react-dom') }

const head = `
import { createRoot } from 'react-dom/client'
import { init } from '@afterimage/react'
const dsn = 'https://${'a'.repeat(32)}@errors.test/42'`

const frame = `
const load = async () => { await fetch('/status/200'); return null }
function Frame({ children }) {
  return <><Link id="member" to="/teams/3/members/9">Member</Link><Link id="old" to="/old">Old</Link>
    <button id="break" onClick={() => { throw new Error('failed in ' + location.pathname) }}>Break</button>
    <main>{children}</main></>
}
const User = () => <p id="user">User</p>
const Member = () => <p id="shown">Member</p>`

function dataRouter(library: string, base: string): string {
  return `${head}
import { createBrowserRouter, Link, Outlet, redirect, RouterProvider } from '${library}'
import { routerTracing, traceRouter } from '@afterimage/react/react-router'
${frame}
init({ dsn, integrations: [routerTracing({ idleTimeoutMs: 60_000 })] })
const router = traceRouter(createBrowserRouter([
  { path: '/', element: <Frame><Outlet /></Frame>, children: [
    { path: 'users/:id', element: <User /> },
    { path: 'teams/:team', children: [{ path: 'members/:id', loader: load, element: <Member /> }] },
    { path: 'old', loader: async () => { await load(); return redirect('/users/8') } },
  ] },
], { basename: '/${base}' }))
createRoot(document.querySelector('#root')).render(<RouterProvider router={router} />)`
}

function declarative(library: string, base: string): string {
  return `${head}
import { BrowserRouter, createRoutesFromChildren, Link, matchRoutes, Navigate, Route, Routes, useLocation } from '${library}'
import { routerTracing, traceRoutes } from '@afterimage/react/react-router'
${frame}
init({ dsn, integrations: [routerTracing({ idleTimeoutMs: 60_000 })] })
const TracedRoutes = traceRoutes(Routes, { createRoutesFromChildren, matchRoutes, useLocation })
const Team = () => <TracedRoutes><Route path="members/:id" element={<Member />} /></TracedRoutes>
createRoot(document.querySelector('#root')).render(
  <BrowserRouter basename="/${base}"><Frame><TracedRoutes>
    <Route path="/users/:id" element={<User />} />
    <Route path="/teams/:team/*" element={<Team />} />
    <Route path="/old" element={<Navigate to="/users/8" replace />} />
  </TracedRoutes></Frame></BrowserRouter>)`
}

function hook(library: string, base: string): string {
  return `${head}
import { BrowserRouter, Link, matchRoutes, Navigate, useLocation, useRoutes } from '${library}'
import { routerTracing, traceUseRoutes } from '@afterimage/react/react-router'
${frame}
init({ dsn, integrations: [routerTracing({ idleTimeoutMs: 60_000 })] })
const useTracedRoutes = traceUseRoutes(useRoutes, { matchRoutes, useLocation })
const routes = [
  { path: '/users/:id', element: <User /> },
  { path: '/teams/:team', children: [{ path: 'members/:id', element: <Member /> }] },
  { path: '/old', element: <Navigate to="/users/8" replace /> },
]
const App = () => <Frame>{useTracedRoutes(routes)}</Frame>
createRoot(document.querySelector('#root')).render(<BrowserRouter basename="/${base}"><App /></BrowserRouter>)`
}

function tanStack(library: string, base: string): string {
  return `${head}
import { createRootRoute, createRoute, createRouter, Link, Outlet, redirect, RouterProvider } from '${library}'
import { routerTracing, traceRouter } from '@afterimage/react/tanstack-router'
${frame}
init({ dsn, integrations: [routerTracing({ idleTimeoutMs: 60_000 })] })
const root = createRootRoute({ component: () => <Frame><Outlet /></Frame>, notFoundComponent: () => <p>Nothing</p> })
const child = (path, rest) => createRoute({ getParentRoute: () => root, path, ...rest })
const routeTree = root.addChildren([
  child('/users/$id', { component: User }),
  child('/teams/$team/members/$id', { loader: load, component: Member }),
  child('/old', { loader: async () => { await load(); throw redirect({ to: '/users/$id', params: { id: '8' } }) } }),
])
const router = traceRouter(createRouter({ routeTree, basepath: '/${base}' }))
createRoot(document.querySelector('#root')).render(<RouterProvider router={router} />)`
}

/** The first part of the path → a router, and whether it loads before the address changes. */
const routers = {
  data6: { library: 'react-router-6', source: dataRouter, hasLoaders: true },
  data7: { library: 'react-router-7', source: dataRouter, hasLoaders: true },
  data8: { library: 'react-router', source: dataRouter, hasLoaders: true },
  routes6: { library: 'react-router-6', source: declarative, hasLoaders: false },
  routes7: { library: 'react-router-7', source: declarative, hasLoaders: false },
  hook7: { library: 'react-router-7', source: hook, hasLoaders: false },
  tanstack: { library: '@tanstack/react-router', source: tanStack, hasLoaders: true },
} as const

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  const pages: Record<string, { html: string }> = {}
  const scripts: Record<string, { type: string; body: string }> = {}
  for (const [base, { library, source }] of Object.entries(routers)) {
    const folder = writeProject(`react-${base}`, { 'main.jsx': source(library, base) })
    const body = await bundleProject(folder, 'main.jsx', oneReact)
    scripts[`/${base}.js`] = { type: 'text/javascript', body }
    const html = `<div id="root"></div><script src="/${base}.js"></script>`
    for (const path of ['users/7', 'nowhere']) pages[`${base}/${path}`] = { html }
  }
  server = await startSdkServer(pages, scripts)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Page loads and navigations below a path, those by their own address. */
function pagesBelow(path: string): TransactionPayload[] {
  return server
    .items<TransactionPayload>('transaction')
    .filter((it) => it.request?.url?.startsWith(`${server.url}${path}`))
}

function errorEvent(message: string): Promise<EventPayload> {
  return until(`the error "${message}"`, () =>
    server
      .items<EventPayload>('event')
      .find((it) => it.exception?.values.some(({ value }) => value === message)),
  )
}

test.each(Object.entries(routers))(
  '%s names page loads, navigations and errors by their routes',
  async (base, { hasLoaders }) => {
    const parameter = (name: string): string => (base === 'tanstack' ? `$${name}` : `:${name}`)
    const user = `/${base}/users/${parameter('id')}`
    const member = `/${base}/teams/${parameter('team')}/members/${parameter('id')}`
    const page = await browser.newPage()
    await page.goto(`${server.url}/${base}/users/7`)
    await page.click('#member')
    await page.waitForSelector('#shown')
    await page.click('#break')
    const event = await errorEvent(`failed in /${base}/teams/3/members/9`)
    expect(event.transaction).toBe(member)
    await page.goBack()
    await page.waitForSelector('#user')
    await page.click('#old')
    await page.waitForURL(/users\/8$/)
    await page.goto(`${server.url}/${base}/nowhere`)
    await page.waitForSelector('#root > *')
    await page.close({ runBeforeUnload: true })

    // A loader's redirect is part of its navigation; what is drawn may lead to another.
    const expected = [
      ['pageload', `/${base}/users/7`, user, 'route'],
      ['navigation', `/${base}/teams/3/members/9`, member, 'route'],
      ['navigation', `/${base}/users/7`, user, 'route'],
      ['navigation', `/${base}/old`, hasLoaders ? user : `/${base}/old`, 'route'],
      ...(hasLoaders ? [] : [['navigation', `/${base}/users/8`, user, 'route']]),
      ['pageload', `/${base}/nowhere`, `/${base}/nowhere`, 'url'],
    ]
    const pages = await until('all pages', () => {
      const found = pagesBelow(`/${base}/`)
      return found.length >= expected.length ? found : null
    })
    expect(
      pages.map(({ contexts, request, transaction, transaction_info: info }) => [
        contexts.trace.op,
        new URL(request?.url ?? '').pathname,
        transaction,
        info?.source,
      ]),
    ).toEqual(expected)
    expect(pages[1]?.spans?.some(({ op }) => op === 'http.client')).toBe(hasLoaders)
  },
)

const types = `
import * as six from 'react-router-6'
import * as seven from 'react-router-7'
import * as eight from 'react-router-8'
import * as tanStack from '@tanstack/react-router'
import { traceRouter, traceRoutes, traceUseRoutes } from '@afterimage/react/react-router'
import { traceRouter as traceTanStack } from '@afterimage/react/tanstack-router'
export const data = [
  <six.RouterProvider router={traceRouter(six.createBrowserRouter([]))} />,
  <seven.RouterProvider router={traceRouter(seven.createHashRouter([]))} />,
  <eight.RouterProvider router={traceRouter(eight.createBrowserRouter([]))} />,
]
const Six = traceRoutes(six.Routes, six)
const Seven = traceRoutes(seven.Routes, seven)
const Eight = traceRoutes(eight.Routes, eight)
export const drawn = [<Six />, <Seven location="/" />, <Eight><eight.Route path="/" /></Eight>]
export const hooks = [traceUseRoutes(six.useRoutes, six), traceUseRoutes(seven.useRoutes, seven), traceUseRoutes(eight.useRoutes, eight)]
const root = tanStack.createRootRoute()
const user = tanStack.createRoute({ getParentRoute: () => root, path: '/users/$id' })
const router = traceTanStack(tanStack.createRouter({ routeTree: root.addChildren([user]) }))
void router.navigate({ to: '/users/$id', params: { id: '7' } })`

test('the strict types of all these routers fit', async () => {
  const installed = '../../sdks/node_modules'
  const folder = writeProject('react-types', {
    'types.tsx': types,
    'tsconfig.json': JSON.stringify({
      extends: '../../../tsconfig.json',
      compilerOptions: {
        jsx: 'react-jsx',
        module: 'esnext',
        moduleResolution: 'bundler',
        paths: {
          'react-router-6': [`${installed}/react-router-6`],
          'react-router-7': [`${installed}/react-router-7`],
          'react-router-8': [`${installed}/react-router/dist/production/index.d.ts`],
          '@tanstack/react-router': [`${installed}/@tanstack/react-router`],
          // Theirs is that of the page.
          react: ['../../../node_modules/@types/react'],
          'react/*': ['../../../node_modules/@types/react/*'],
        },
      },
      include: ['types.tsx'],
      exclude: [],
    }),
  })
  const compiled = promisify(execFile)(join(modules, '.bin/tsc'), ['-p', folder])
  const { stdout } = await compiled.catch((error: unknown) => error as { stdout: string })
  expect(stdout).toBe('')
})
