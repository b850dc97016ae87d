import type { Pattern } from '@afterimage/sdk-core/options'

/** How a page is recorded. Everything has a default, and the defaults show nothing of a person. */
export interface ReplayOptions {
  /**
   * Share of sessions recorded and sent from their beginning; 0.1 unless given.
   * @see docs/specification.md#s16
   */
  readonly sessionSampleRate?: number
  /**
   * Share of errors that bring the time before them; 1 unless given.
   * @see docs/specification.md#s16
   */
  readonly onErrorSampleRate?: number
  /** False begins a new session with every page load. */
  readonly isSticky?: boolean
  /**
   * Selector of elements whose text, attributes and inputs are shown, besides
   * `.afterimage-unmask,[data-afterimage-unmask]`. Passwords, cards and one-time codes stay masked.
   */
  readonly unmask?: string
  /** Selector of what is masked inside of what `unmask` shows. */
  readonly mask?: string
  /** Selector of elements of which only the place is recorded, besides all media. */
  readonly block?: string
  /** Selector of media that are recorded all the same. */
  readonly unblock?: string
  /** Selector of inputs whose changes are not recorded. */
  readonly ignore?: string
  readonly network?: NetworkOptions
  /** Address of `compress.worker.js` on the page's own host, where CSP forbids workers from blobs. */
  readonly workerUrl?: string
  /** At most 50,000; 5,000 unless given. @see docs/specification.md#s19 */
  readonly minMs?: number
  /** At most, and unless given, an hour. @see docs/specification.md#s19 */
  readonly maxMs?: number
  /** 0 sets no limit. @see docs/specification.md#s22 */
  readonly mutationsMax?: number
  readonly mutationsNotable?: number
  /** 0 looks for no slow clicks. @see docs/specification.md#s23 */
  readonly slowClickMs?: number
  /** Selector of elements whose clicks need no reaction. */
  readonly slowClickIgnore?: string
  /** Sees every breadcrumb and span, and the settings for `media`, before it is recorded; null leaves it out. */
  readonly beforeAdd?: (event: CustomEvent) => CustomEvent | null
}

/**
 * Requests whose headers and bodies are recorded: none unless allowed.
 * @see docs/specification.md#s25
 */
export interface NetworkOptions {
  /** Tried against the absolute address. */
  readonly allow: readonly Pattern[]
  /** Wins over `allow`. */
  readonly deny?: readonly Pattern[]
  /** Recorded besides `content-length`, `content-type` and `accept`. */
  readonly requestHeaders?: readonly string[]
  readonly responseHeaders?: readonly string[]
  /** False records sizes and headers only. */
  readonly hasBodies?: boolean
}

/** A breadcrumb or a span inside a recording. */
export interface CustomEvent {
  readonly type: 5
  /** Milliseconds since the epoch; times in the payload are seconds. */
  readonly timestamp: number
  readonly data: { readonly tag: string; readonly payload: Readonly<Record<string, unknown>> }
}
