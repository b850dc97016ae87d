import { withAfterimage } from '@afterimage/next'
import type { NextConfig } from 'next'

/**
 * The console is started by the web role (`next({ dir })`), never by `next start`: the API, sign-in
 * and the pages share one listener, so nothing here names a port or a host.
 */
const config: NextConfig = {
  // Each version of the sources has a folder of its own (named by the server): a build never pulls
  // the files from under a server that runs.
  distDir: process.env.AFTERIMAGE_CONSOLE_BUILD ?? '.next/dev',
  reactStrictMode: true,
  poweredByHeader: false,
  // The front door compresses nothing twice: Next's own gzip is enough for pages behind a socket.
  compress: true,
  // Types are checked by the project's own TypeScript (`npx tsc -p apps/console`), once, in the tests.
  typescript: { ignoreBuildErrors: true },
  // Recorded pages and attachments bring their own images; nothing is resized by this server.
  images: { unoptimized: true },
  devIndicators: false,
  // Pages made on demand (one per error code) stay in memory: running never changes the build.
  experimental: { isrFlushToDisk: false },
}

// Whom it reports to is said by the server that serves it, and never part of the build; that server
// has no use for source maps of its own console.
export default withAfterimage(config, { dsn: '', release: '', sourceMaps: false })
