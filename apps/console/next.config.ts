import { withAfterimage } from '@afterimage/next'
import type { NextConfig } from 'next'

/** Addresses below an organisation, and the pages that they mean. */
const otherAddresses = [
  ['issues', '/issues'],
  ['issues/:issue', '/issues/:issue'],
  ['issues/:issue/events/:event', '/issues/:issue?event=:event'],
  ['replays', '/replays'],
  ['replays/:replay', '/replays/:replay'],
  ['performance/trace/:trace', '/traces/:trace'],
  ['traces/trace/:trace', '/traces/:trace'],
  ['explore/traces/trace/:trace', '/traces/:trace'],
] as const

/**
 * The console is started by the web role (`next({ dir })`), never by `next start`: the API, sign-in
 * and the pages share one listener, so nothing here names a port or a host.
 */
const config: NextConfig = {
  // Each version of the sources has its own folder (named by the server), so that a build never
  // removes the files of a running server.
  distDir: process.env.AFTERIMAGE_CONSOLE_BUILD ?? '.next/dev',
  reactStrictMode: true,
  poweredByHeader: false,
  // The front door compresses nothing twice: Next's own gzip is enough for pages behind a socket.
  compress: true,
  // Types are checked by the project's own TypeScript (`npx tsc -p apps/console`), once, in the tests.
  typescript: { ignoreBuildErrors: true },
  // Recorded pages and attachments have their own images; this server resizes none.
  images: { unoptimized: true },
  devIndicators: false,
  // Addresses that other tools make of an organisation and an id.
  redirects: async () =>
    otherAddresses.map(([from, to]) => ({
      source: `/organizations/:org/${from}`,
      destination: to,
      permanent: false,
    })),
  experimental: {
    // Pages made on demand (one per error code) stay in memory, so that the build never changes.
    isrFlushToDisk: false,
    // A build finds no cache of an earlier one in its own folder.
    turbopackFileSystemCacheForBuild: false,
  },
}

// The server that serves the console names the project it reports to; the build never does. That server
// does not need source maps of its own console.
export default withAfterimage(config, { dsn: '', release: '', sourceMaps: false })
