/**
 * The tunnel as a route of Next, in one line of `app/monitoring/route.ts`:
 * `export { GET, POST } from '@afterimage/next/tunnel-route'`.
 */
import { tunnelOfEnvironment } from '@afterimage/sdk-core/server/tunnel-environment'
import type { TunnelOptions } from '@afterimage/sdk-core/server/tunnel'

export interface TunnelRoute {
  /** Answers the settings of clients. */
  readonly GET: (request: Request) => Promise<Response>
  readonly POST: (request: Request) => Promise<Response>
}

/** Makes the route's handler. Missing options come from the environment, at the first request. */
export function tunnelRoute(given: Partial<TunnelOptions> = {}): TunnelRoute {
  const tunnel = tunnelOfEnvironment(given, () => process.env.NEXT_PUBLIC_AFTERIMAGE_DSN)
  return { GET: (request) => tunnel(request), POST: (request) => tunnel(request) }
}

/** Configured by the environment alone. */
export const { GET, POST } = tunnelRoute()
