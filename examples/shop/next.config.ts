import { withAfterimage } from '@afterimage/next'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // Each build has a folder of its own (see build.ts), so that two can be served side by side.
  distDir: process.env.SHOP_BUILD ?? '.next/dev',
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  typescript: { ignoreBuildErrors: true },
  // A folder of its own holds no cache of an earlier build.
  experimental: { turbopackFileSystemCacheForBuild: false },
}

export default withAfterimage(config, {
  release: 'shop@1.0.0',
  environment: 'demo',
  // Names of pages are their raw paths, unless the routes are asked for.
  routeManifest: process.env.SHOP_ROUTES === 'scan' ? 'scan' : {},
})
