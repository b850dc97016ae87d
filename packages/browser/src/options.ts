import type { Breadcrumb, Hint, SdkEvent } from './event.ts'
import type { Integration } from './integration.ts'

/** A text matches what contains it. */
export type Pattern = string | RegExp

export interface Options {
  /** Where to send to, and as whom. Without a valid one the client stays silent. */
  readonly dsn: string
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
  /** Selector of elements whose `aria-label`, `title` and `alt` may be sent. */
  readonly unmask?: string
  /** Added to those of the entry, or made from them. */
  readonly integrations?:
    | readonly Integration[]
    | ((defaults: readonly Integration[]) => readonly Integration[])
}
