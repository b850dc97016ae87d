import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { setSecretPaths } from '@afterimage/sdk-core/clean-address'
import { pageName } from './page-name.ts'
import { dynamicRoute } from './route-pattern.ts'
import { scanRoutes } from './scan-routes.ts'

test('S9 with the empty manifest a page is its raw path, whatever the framework knows', () => {
  for (const manifest of [{}, { staticRoutes: [], dynamicRoutes: [] }]) {
    expect(pageName('/gift/x/', manifest, ['/gift/[slug]'])).toEqual({
      name: '/gift/x',
      source: 'url',
    })
    expect(pageName('/', manifest)).toEqual({ name: '/', source: 'url' })
  }
})

test('S9 a manifest names the route; a static route of the same form wins', () => {
  const manifest = {
    staticRoutes: [{ path: '/products/new' }],
    dynamicRoutes: [dynamicRoute('/products/[slug]')!],
  }
  expect(pageName('/products/jug', manifest)).toEqual({ name: '/products/:slug', source: 'route' })
  expect(pageName('/products/new', manifest)).toEqual({ name: '/products/new', source: 'url' })
  expect(pageName('/basket', manifest)).toEqual({ name: '/basket', source: 'url' })
})

test('S9 pages that the manifest leaves out are found in the framework’s own list', () => {
  const manifest = { dynamicRoutes: [dynamicRoute('/products/[slug]')!] }
  const pages = ['/_app', '/receipt/[order]', '/receipt/sample']
  expect(pageName('/receipt/LU-1', manifest, pages).name).toBe('/receipt/:order')
  expect(pageName('/receipt/sample', manifest, pages)).toEqual({
    name: '/receipt/sample',
    source: 'url',
  })
})

test.each([
  ['/u/[id]', '/u/:id', ['/u/1', '/u/a.b'], ['/u', '/u/1/2', '/x/u/1']],
  ['/docs/[...path]', '/docs/:path*', ['/docs/a', '/docs/a/b'], ['/docs', '/docsa/b']],
  ['/[[...path]]', '/:path*?', ['/', '/a', '/a/b'], []],
  ['/s/[[...q]]', '/s/:q*?', ['/s', '/s/a'], ['/sa', '/']],
  ['/a.b/[id]', '/a.b/:id', ['/a.b/1'], ['/axb/1']],
  ['/[lang]/u/[id]', '/:lang/u/:id', ['/de/u/1'], ['/de/x/1']],
])('%s is the route %s', (route, path, matches, others) => {
  const found = dynamicRoute(route)
  expect(found?.path).toBe(path)
  for (const it of matches)
    expect([it, new RegExp(found?.regex ?? '').test(it)]).toEqual([it, true])
  for (const it of others)
    expect([it, new RegExp(found?.regex ?? '').test(it)]).toEqual([it, false])
})

test('a route without a parameter is not a dynamic route', () => {
  expect(dynamicRoute('/products')).toBeNull()
})

test('the folders app and pages say what the routes are', () => {
  const project = mkdtempSync(join(tmpdir(), 'afterimage-routes-'))
  try {
    for (const file of [
      'app/page.tsx',
      'app/(shop)/products/[slug]/page.tsx',
      'app/(shop)/products/page.mdx',
      'app/@side/page.tsx',
      'app/(.)photo/[id]/page.tsx',
      'app/_parts/page.tsx',
      'app/api/stock/route.ts',
      'app/products/shelf.tsx',
      'pages/_app.tsx',
      'pages/404.tsx',
      'pages/api/hello.ts',
      'pages/receipt/[order].tsx',
      'pages/about/index.jsx',
      'src/pages/docs/[[...path]].tsx',
    ]) {
      mkdirSync(dirname(join(project, file)), { recursive: true })
      writeFileSync(join(project, file), '')
    }
    const { staticRoutes, dynamicRoutes } = scanRoutes(project)
    expect(staticRoutes.map(({ path }) => path)).toEqual(['/', '/about', '/products'])
    expect(dynamicRoutes.map(({ path }) => path)).toEqual([
      '/docs/:path*?',
      '/products/:slug',
      '/receipt/:order',
    ])
    const below = scanRoutes(project, '/shop')
    expect(below.staticRoutes[0]?.path).toBe('/shop')
    expect(pageName('/shop/products/jug', below).name).toBe('/shop/products/:slug')
  } finally {
    rmSync(project, { recursive: true })
  }
})

test('S9 a raw path is a name without its secrets', () => {
  setSecretPaths([/(?<=\/share\/)[^/]+/g])
  try {
    expect(pageName('/share/s3cret/', {})).toEqual({ name: '/share/*', source: 'url' })
  } finally {
    setSecretPaths()
  }
})
