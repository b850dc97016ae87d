import type {
  EventBag,
  EventException,
  EventLevel,
  EventRequest,
  EventSdk,
  EventThread,
  EventUser,
} from './event.ts'

/**
 * An event as a current SDK writes it; `event.ts` has the form we keep. Servers read much more than
 * this: aliases, bare lists, and what older SDKs and other languages wrote.
 * @see https://develop.sentry.dev/sdk/data-model/event-payloads/
 */
export interface EventPayload {
  readonly event_id?: string
  readonly type?: string
  /** Seconds since the epoch, with a fraction. */
  readonly timestamp?: number
  readonly platform?: string
  readonly level?: EventLevel
  readonly logger?: string
  readonly transaction?: string
  readonly server_name?: string
  readonly release?: string
  readonly dist?: string
  readonly environment?: string
  readonly fingerprint?: readonly string[]
  readonly sdk?: Partial<EventSdk>
  readonly message?: string
  readonly logentry?: { readonly message: string; readonly params?: readonly unknown[] }
  /** The cause first, what was thrown last. */
  readonly exception?: { readonly values: readonly EventException[] }
  readonly threads?: { readonly values: readonly EventThread[] }
  readonly breadcrumbs?: readonly BreadcrumbPayload[]
  readonly request?: RequestPayload
  readonly user?: EventUser
  readonly tags?: Readonly<Record<string, string | number | boolean | null>>
  readonly contexts?: Readonly<Record<string, EventBag>>
  readonly extra?: EventBag
  readonly modules?: Readonly<Record<string, string>>
  readonly debug_meta?: { readonly images: readonly DebugImage[] }
}

export interface BreadcrumbPayload {
  /** Seconds since the epoch, with a fraction. */
  readonly timestamp?: number
  readonly type?: string
  readonly category?: string
  readonly level?: string
  readonly message?: string
  readonly data?: EventBag
}

export interface RequestPayload extends Omit<EventRequest, 'query_string' | 'headers' | 'cookies'> {
  readonly query_string?: string | Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
}

/** Ties a minified file, by the address in its frames, to its source map. */
export interface DebugImage {
  readonly type: 'sourcemap'
  readonly code_file: string
  readonly debug_id: string
}
