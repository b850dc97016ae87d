import type { Pattern } from '@afterimage/sdk-core/options'

/** Options of the recording. All have defaults, and the defaults show nothing of a person. */
export interface ReplayOptions {
  /**
   * Share of sessions recorded and sent from their beginning; 0.1 by default.
   * @see docs/specification.md#s16
   */
  readonly sessionSampleRate?: number
  /**
   * Share of errors that send the time before them; 1 by default.
   * @see docs/specification.md#s16
   */
  readonly onErrorSampleRate?: number
  /**
   * True records nothing, also by `start()`, in a browser that sends Global Privacy Control.
   * @see https://w3c.github.io/gpc/
   */
  readonly globalPrivacyControl?: boolean
  /** False begins a new session with every page load. */
  readonly isSticky?: boolean
  /**
   * Selector of elements whose text, attributes and inputs are shown, besides
   * `.afterimage-unmask,[data-afterimage-unmask]`. Passwords, cards and one-time codes stay masked.
   */
  readonly unmask?: string
  /** Selector of elements that stay masked within `unmask`. */
  readonly mask?: string
  /** Selector of elements recorded as empty boxes, besides all media. */
  readonly block?: string
  /** Selector of media, and with `replayCanvas` of canvases, that are recorded after all. */
  readonly unblock?: string
  /** Selector of inputs whose changes are not recorded. */
  readonly ignore?: string
  readonly network?: NetworkOptions
  /** Address of `compress.worker.js` on the page's own host, where CSP forbids workers from blobs. */
  readonly workerUrl?: string
  /** At most 50,000; 5,000 by default. @see docs/specification.md#s19 */
  readonly minMs?: number
  /** At most an hour, which is the default. @see docs/specification.md#s19 */
  readonly maxMs?: number
  /** 0 sets no limit. @see docs/specification.md#s22 */
  readonly mutationsMax?: number
  readonly mutationsNotable?: number
  /** 0 turns the detection of slow clicks off. @see docs/specification.md#s23 */
  readonly slowClickMs?: number
  /** Selector of elements whose clicks need no reaction. */
  readonly slowClickIgnore?: string
  /** Receives every breadcrumb, span and `media` setting before it is recorded; null drops it. */
  readonly beforeAdd?: (event: CustomEvent) => CustomEvent | null
}

/**
 * Requests whose headers and bodies are recorded; by default none are.
 * @see docs/specification.md#s25
 */
export interface NetworkOptions {
  /** Tested against the absolute address. */
  readonly allow: readonly Pattern[]
  /** Takes precedence over `allow`. */
  readonly deny?: readonly Pattern[]
  /** Headers recorded besides `content-length`, `content-type` and `accept`. */
  readonly requestHeaders?: readonly string[]
  readonly responseHeaders?: readonly string[]
  /** False records only sizes and headers. */
  readonly hasBodies?: boolean
}

/** A breadcrumb or a span inside a recording. */
export interface CustomEvent {
  readonly type: 5
  /** Ms since the epoch; times in the payload are seconds. */
  readonly timestamp: number
  readonly data: { readonly tag: string; readonly payload: Readonly<Record<string, unknown>> }
}
