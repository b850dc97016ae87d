import type { RouteManifest } from '@afterimage/browser/route-names'

/** Constants that `withAfterimage` writes into a build, for the browser and the server. */
export interface BuildConstants {
  /** Undefined where the build did not know it. */
  readonly dsn: string | undefined
  readonly release: string | undefined
  readonly environment: string | undefined
  /** With the application's base path in front. */
  readonly tunnelPath: string | undefined
  /** Empty unless routes were asked for. @see docs/specification.md#s9 */
  readonly routeManifest: RouteManifest
}

/** Names of the variables that bundlers replace. Each is written out where it is read. */
export type BuildVariable =
  | 'AFTERIMAGE_BUILD_DSN'
  | 'AFTERIMAGE_BUILD_RELEASE'
  | 'AFTERIMAGE_BUILD_ENVIRONMENT'
  | 'AFTERIMAGE_BUILD_TUNNEL_PATH'
  | 'AFTERIMAGE_BUILD_ROUTES'

/** The constants of this build; outside of one that `withAfterimage` made, all are absent. */
export function buildConstants(): BuildConstants {
  return {
    dsn: process.env.AFTERIMAGE_BUILD_DSN || undefined,
    release: process.env.AFTERIMAGE_BUILD_RELEASE || undefined,
    environment: process.env.AFTERIMAGE_BUILD_ENVIRONMENT || undefined,
    tunnelPath: process.env.AFTERIMAGE_BUILD_TUNNEL_PATH || undefined,
    routeManifest: readManifest(process.env.AFTERIMAGE_BUILD_ROUTES || '{}'),
  }
}

function readManifest(text: string): RouteManifest {
  try {
    return JSON.parse(text) as RouteManifest
  } catch {
    return {}
  }
}
