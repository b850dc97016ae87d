/** The browser side: `init` for `instrumentation-client.ts`, and all that the client offers. */
import { init as initBrowser } from '@afterimage/browser'
import type { Client, Integration, Options } from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
import type { ReplayLoaderOptions } from '@afterimage/replay'
import { browserTracing } from '@afterimage/browser/tracing'
import type { TracingOptions } from '@afterimage/browser/tracing'
import type { RouteManifest } from '@afterimage/browser/route-names'
import { buildConstants } from './build-constants.ts'
import { cancelledRoutes, frameworkErrors } from './framework-errors.ts'
import { nextRouter } from './router.ts'

export * from '@afterimage/browser'
export * from '@afterimage/browser/tracing'
export type { RecorderState, ReplayIntegration } from '@afterimage/replay'
export { AfterimageBoundary, ClientException } from './boundary.ts'
export { captureErrorPage, captureGlobalError } from './capture.ts'
export { NotFoundShown } from './not-found-shown.ts'
export { discardPage, onRouterTransitionStart } from './router.ts'
export { watchShown } from './shown.ts'

export interface NextOptions extends Omit<Options, 'dsn'> {
  /** By default the one given to `withAfterimage`, or that of the build's environment. */
  readonly dsn?: string
  /** Names pages by their route. By default that of the build, which is empty unless asked for. */
  readonly routeManifest?: RouteManifest
  /** `false` measures nothing. */
  readonly tracing?: TracingOptions | false
  /** `false` records nothing. */
  readonly replay?: ReplayLoaderOptions | false
}

/**
 * Starts reporting: errors, both routers, and the recorder. Missing options are those that
 * `withAfterimage` wrote into the build. Null when there is no DSN.
 */
export function init(given: NextOptions = {}): Client | null {
  const { dsn, release, environment, tunnelPath, routeManifest: built } = buildConstants()
  const { tracing, replay, routeManifest = built, integrations = [], ...rest } = given
  const options: Options = {
    ...(release !== undefined && { release }),
    ...(environment !== undefined && { environment }),
    ...(tunnelPath !== undefined && { tunnelPath }),
    ...rest,
    dsn: rest.dsn ?? dsn ?? '',
    integrations(defaults) {
      const all = [...defaults, ...ofNext({ tracing, replay, routeManifest })]
      return typeof integrations === 'function' ? integrations(all) : [...all, ...integrations]
    },
  }
  return initBrowser(options)
}

interface OfNext {
  readonly tracing: TracingOptions | false | undefined
  readonly replay: ReplayLoaderOptions | false | undefined
  readonly routeManifest: RouteManifest
}

function ofNext({ tracing = {}, replay = {}, routeManifest }: OfNext): Integration[] {
  return [
    ...(tracing ? [browserTracing({ ...tracing, pageLoad: false, navigation: false })] : []),
    // Begins page loads and navigations, and so comes after what measures them.
    nextRouter({ routeManifest, isTraced: tracing !== false }),
    cancelledRoutes(),
    frameworkErrors(),
    ...(replay ? [replayIntegration(replay)] : []),
  ]
}
