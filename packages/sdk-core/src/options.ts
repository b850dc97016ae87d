import type { Breadcrumb, CaptureContext, Hint, SdkEvent, SdkSpan } from './event.ts'
import type { Integration } from './integration.ts'
import type { Scope } from './scope.ts'

/** A string matches every text that contains it. */
export type Pattern = string | RegExp

/** Facts that a sampler may decide by. */
export interface SamplerContext {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** The decision already made in this trace; undefined when there is none. */
  readonly parentSampled: boolean | undefined
}

/** Options of tracing that `init` also takes; those of `browserTracing` take precedence. */
export interface TracingSettings {
  /**
   * Share of traces that are sent, 0 to 1; 1 by default. Traces begun elsewhere keep their
   * decision.
   * @see docs/specification.md#s11
   */
  readonly tracesSampleRate?: number
  /** Decides instead: a share, or true and false. Anything else counts as false. */
  readonly tracesSampler?: (context: SamplerContext) => number | boolean
  /**
   * Addresses that get trace headers, tested against the absolute address and, on the page's own
   * origin, the path. By default the page's own origin only.
   */
  readonly tracePropagationTargets?: readonly Pattern[]
  /** Also sends W3C `traceparent`. */
  readonly propagateTraceparent?: boolean
  /** Transactions of these names are discarded, and counted as discarded. */
  readonly ignoreTransactions?: readonly Pattern[]
  /**
   * Receives every span that is sent, the root of a transaction and late web vitals among them.
   * Null discards it, and with a root its transaction; so does an error.
   */
  readonly beforeSendSpan?: (span: SdkSpan) => SdkSpan | null
}

/** Rates of the recorder; those of `replayIntegration` take precedence. */
export interface ReplaySettings {
  /** Share of sessions recorded and sent from their beginning. */
  readonly replaysSessionSampleRate?: number
  /** Share of errors that send the time before them. */
  readonly replaysOnErrorSampleRate?: number
}

export interface Options extends TracingSettings, ReplaySettings {
  /** The address and key of the project. Without a valid one the client stays silent. */
  readonly dsn: string
  /** `false` captures, watches and sends nothing. */
  readonly enabled?: boolean
  /**
   * By default envelopes go to `tunnelPath` on the page's own host. `false` sends to the host of
   * the DSN; a string is another path or address of a tunnel.
   */
  readonly tunnel?: boolean | string
  /** `/monitoring` by default. */
  readonly tunnelPath?: string
  /** Two letters of the region that the tunnel forwards to. By default read from the DSN's host. */
  readonly region?: string
  readonly release?: string
  /** `production` by default. */
  readonly environment?: string
  readonly dist?: string
  /** Data of the page's scope from the start, or a function that sets it. */
  readonly initialScope?: CaptureContext | ((scope: Scope) => unknown)
  /** Levels kept of `extra`, `contexts`, `user` and the data of breadcrumbs: 3, at most 10. */
  readonly normalizeDepth?: number
  /** Share of errors that are sent, 0 to 1. */
  readonly sampleRate?: number
  /** At most 100, which is the default; 0 keeps none. */
  readonly maxBreadcrumbs?: number
  /** Receives every error last; null discards it. May return a promise. */
  readonly beforeSend?: (
    event: SdkEvent,
    hint: Hint,
  ) => SdkEvent | null | PromiseLike<SdkEvent | null>
  /** The same for transactions. */
  readonly beforeSendTransaction?: (
    event: SdkEvent,
    hint: Hint,
  ) => SdkEvent | null | PromiseLike<SdkEvent | null>
  /** Null discards the breadcrumb. */
  readonly beforeBreadcrumb?: (
    breadcrumb: Breadcrumb,
    hint: Readonly<Record<string, unknown>>,
  ) => Breadcrumb | null
  /** Tested against the message of an error, its value, and `type: value`. */
  readonly ignoreErrors?: readonly Pattern[]
  /** Tested against the address of the file that threw. */
  readonly denyUrls?: readonly Pattern[]
  readonly allowUrls?: readonly Pattern[]
  /** Query parameters whose values may be sent; other parameters are sent by name only. */
  readonly keepQuery?: readonly string[]
  /**
   * Parts of addresses that are secrets, such as a token in a path. Each match becomes `*` before
   * anything is recorded, in names of pages as well. Give the patterns the flag `g`.
   */
  readonly secretPaths?: readonly RegExp[]
  /** Selector of elements whose `aria-label`, `title` and `alt` may be sent. */
  readonly unmask?: string
  /** Added to the entry's default integrations, or derived from them. */
  readonly integrations?:
    | readonly Integration[]
    | ((defaults: readonly Integration[]) => readonly Integration[])
}
