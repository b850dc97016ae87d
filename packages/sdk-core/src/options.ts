import type { Breadcrumb, Hint, SdkEvent } from './event.ts'
import type { Integration } from './integration.ts'

/** A text matches what contains it. */
export type Pattern = string | RegExp

/** What a sampler may decide by. */
export interface SamplerContext {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** What whoever began the trace, or an earlier root of it, decided; undefined when nobody has. */
  readonly parentSampled: boolean | undefined
}

/** Tracing's options that may be given to `init` as well; those of `browserTracing` come first. */
export interface TracingSettings {
  /**
   * Share of traces that is sent, 0 to 1; 1 unless given. Traces begun elsewhere keep their decision.
   * @see docs/specification.md#s11
   */
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
}

/** The recorder's rates; those of `replayIntegration` come first. */
export interface ReplaySettings {
  /** Share of sessions recorded and sent from their beginning. */
  readonly replaysSessionSampleRate?: number
  /** Share of errors that bring the time before them. */
  readonly replaysOnErrorSampleRate?: number
}

export interface Options extends TracingSettings, ReplaySettings {
  /** Where to send to, and as whom. Without a valid one the client stays silent. */
  readonly dsn: string
  /** `false` captures, watches and sends nothing. */
  readonly enabled?: boolean
  /**
   * By default envelopes go to `tunnelPath` of the page's own host. `false` sends to the host of
   * the DSN; a text is another path or address of a tunnel.
   */
  readonly tunnel?: boolean | string
  /** `/monitoring` unless given. */
  readonly tunnelPath?: string
  /** Two letters that the tunnel forwards by. Read from the DSN's host when not given. */
  readonly region?: string
  readonly release?: string
  /** `production` unless given. */
  readonly environment?: string
  readonly dist?: string
  /** Share of errors that is sent, 0 to 1. */
  readonly sampleRate?: number
  /** At most 100, and 100 unless given; 0 keeps none. */
  readonly maxBreadcrumbs?: number
  /** Sees every error last; null discards it. May answer later. */
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
  /** Tried against the message, `type: value` and the value of an error. */
  readonly ignoreErrors?: readonly Pattern[]
  /** Tried against the address of the file that threw. */
  readonly denyUrls?: readonly Pattern[]
  readonly allowUrls?: readonly Pattern[]
  /** Query parameters whose values may be sent; of all others only the names are. */
  readonly keepQuery?: readonly string[]
  /**
   * Parts of addresses that are secrets, such as a token in a path: each match becomes `*` before
   * anything is recorded, in names of pages as well. Give them the flag `g`.
   */
  readonly secretPaths?: readonly RegExp[]
  /** Selector of elements whose `aria-label`, `title` and `alt` may be sent. */
  readonly unmask?: string
  /** Added to those of the entry, or made from them. */
  readonly integrations?:
    | readonly Integration[]
    | ((defaults: readonly Integration[]) => readonly Integration[])
}
