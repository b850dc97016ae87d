import type { Pattern } from '../options.ts'
import type { Attributes } from './span.ts'

/** What a sampler may decide by. */
export interface SamplerContext {
  readonly name: string
  readonly attributes: Attributes
  /** What whoever began the trace, or an earlier root of it, decided; undefined when nobody has. */
  readonly parentSampled: boolean | undefined
}

export interface TracingOptions {
  /** Share of traces that is sent, 0 to 1; 1 unless given (S11). Traces begun elsewhere keep their decision. */
  readonly tracesSampleRate?: number
  /** Decides instead: a share, or yes and no. Anything else is no. */
  readonly tracesSampler?: (context: SamplerContext) => number | boolean
  /**
   * Where trace headers go, tried against the absolute address and, for the page's own origin, the
   * path. Without it: to the page's own origin only.
   */
  readonly tracePropagationTargets?: readonly Pattern[]
  /** Also sends W3C `traceparent`. */
  readonly propagateTraceparent?: boolean
  /** Transactions of these names are discarded, and counted as discarded. */
  readonly ignoreTransactions?: readonly Pattern[]
  /**
   * The route of a path without its last `/`, as `routeNames` tells of a manifest; null where there
   * is none. Without it names are the raw path, and their source is `url` (S9).
   */
  readonly nameOfPath?: (path: string) => string | null
  /** `false` leaves the page load, or navigations, to `startPageLoad` and `startNavigation`. */
  readonly pageLoad?: boolean
  readonly navigation?: boolean
  /** 1000, 15,000 and 30,000 unless given. */
  readonly idleTimeoutMs?: number
  readonly childTimeoutMs?: number
  readonly finalTimeoutMs?: number
}
