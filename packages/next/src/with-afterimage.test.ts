import type { RouteManifest } from '@afterimage/browser/route-names'
import type { NextConfig } from 'next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildConstants } from './build-constants.ts'
import { withAfterimage, type AfterimageOptions } from './index.ts'

beforeEach(() => {
  vi.stubEnv('AFTERIMAGE_DSN', undefined)
  vi.stubEnv('NEXT_PUBLIC_AFTERIMAGE_DSN', undefined)
  vi.stubEnv('AFTERIMAGE_RELEASE', undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('without a configuration there is the one that the client needs', () => {
  expect(withAfterimage().env?.['AFTERIMAGE_BUILD_TUNNEL_PATH']).toBe('/monitoring')
})

test('a given configuration stays, and the build gets the client’s constants', () => {
  const config = withAfterimage(
    {
      reactStrictMode: true,
      basePath: '/shop',
      env: { OWN: '1' },
      transpilePackages: ['own'],
      experimental: { optimizeCss: false },
    },
    { dsn: 'https://a@b/1', release: 'shop@2', environment: 'test', tunnelPath: '/t' },
  )
  expect(config).toMatchObject({ reactStrictMode: true, basePath: '/shop' })
  expect(config.env).toEqual({
    OWN: '1',
    AFTERIMAGE_BUILD_DSN: 'https://a@b/1',
    AFTERIMAGE_BUILD_RELEASE: 'shop@2',
    AFTERIMAGE_BUILD_ENVIRONMENT: 'test',
    AFTERIMAGE_BUILD_TUNNEL_PATH: '/shop/t',
    AFTERIMAGE_BUILD_ROUTES: '{}',
  })
  expect(config.transpilePackages).toContain('own')
  expect(config.transpilePackages).toContain('@afterimage/next')
  expect(config.experimental).toEqual({ optimizeCss: false, serverSourceMaps: true })
  expect(config.productionBrowserSourceMaps).toBe(true)
})

/** The manifest as the browser reads it in a build that was configured so. */
function built(options: AfterimageOptions = {}): RouteManifest {
  for (const [name, value] of Object.entries(withAfterimage({}, options).env ?? {})) {
    vi.stubEnv(name, value)
  }
  return buildConstants().routeManifest
}

test('S9 the route manifest is empty unless asked for', () => {
  expect(built()).toEqual({})
  expect(built({ routeManifest: { staticRoutes: [{ path: '/a' }] } })).toEqual({
    staticRoutes: [{ path: '/a' }],
  })
})

test('the environment says what the options do not', () => {
  vi.stubEnv('AFTERIMAGE_DSN', 'https://c@d/2')
  vi.stubEnv('AFTERIMAGE_RELEASE', 'from@env')
  expect(withAfterimage({}).env).toMatchObject({
    AFTERIMAGE_BUILD_DSN: 'https://c@d/2',
    AFTERIMAGE_BUILD_RELEASE: 'from@env',
  })
})

test('without a name the release is the commit, and absent without one', () => {
  expect(withAfterimage({}).env?.AFTERIMAGE_BUILD_RELEASE).toMatch(/^[\da-f]{40}$|^$/)
  const outside = withAfterimage({}, { projectFolder: '/' })
  expect(outside.env?.AFTERIMAGE_BUILD_RELEASE).toBe('')
})

test('a configuration that is a function stays one', async () => {
  const config = withAfterimage((phase) => ({ env: { PHASE: phase } }), { release: 'a' })
  expect((await config('build', { defaultConfig: {} })).env).toMatchObject({
    PHASE: 'build',
    AFTERIMAGE_BUILD_RELEASE: 'a',
  })
})

test('source maps can be left out, and are where checksums forbid changes', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const without: NextConfig = withAfterimage({}, { sourceMaps: false })
  expect(without.productionBrowserSourceMaps).toBeUndefined()
  expect(without.compiler).toBeUndefined()
  expect(warn).not.toHaveBeenCalled()
  const checked: NextConfig = withAfterimage({ experimental: { sri: { algorithm: 'sha256' } } })
  expect(checked.compiler).toBeUndefined()
  expect(warn).toHaveBeenCalledOnce()
})
