import type { TracingSettings } from '@afterimage/sdk-core/options'

export interface TracingOptions extends TracingSettings {
  /**
   * Returns the route of a path without its trailing `/`, as `routeNames` does for a manifest; null
   * when there is no route. Without it names are the raw path, and their source is `url`.
   * @see docs/specification.md#s9
   */
  readonly nameOfPath?: (path: string) => string | null
  /** `false` leaves the page load, or navigations, to `startPageLoad` and `startNavigation`. */
  readonly pageLoad?: boolean
  readonly navigation?: boolean
  /** By default 1000, 15,000 and 30,000. */
  readonly idleTimeoutMs?: number
  readonly childTimeoutMs?: number
  readonly finalTimeoutMs?: number
}
