/**
 * One event as `GET …/events/{id}/` returns it: Sentry's serialised form, for errors and
 * transactions alike.
 */
export interface ApiEvent {
  readonly id: string
  readonly eventID: string
  readonly projectID: string
  readonly projectSlug: string
  /** The issue; null for transactions. */
  readonly groupID: string | null
  readonly type: string
  readonly title: string
  readonly culprit: string
  readonly message: string
  readonly platform: string
  readonly location: string | null
  readonly dateCreated: string
  readonly dateReceived: string
  /** By the client's own clock, uncorrected: places an event on a replay or a trace. */
  readonly dateClient?: string | null
  readonly size: number
  readonly user: ApiEventUser | null
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly context: Readonly<Record<string, unknown>>
  readonly packages: Readonly<Record<string, string>>
  readonly sdk: { readonly name: string; readonly version: string } | null
  readonly release: { readonly version: string } | null
  readonly dist: string | null
  readonly environment: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly entries: readonly ApiEntry[]
  /** Members that could not be read: `{type: 'invalid_data', name: 'release', value}`. */
  readonly errors: readonly {
    readonly type: string
    readonly message?: string
    readonly data: Readonly<Record<string, unknown>>
  }[]
  readonly fingerprints: readonly string[]
  readonly nextEventID: string | null
  readonly previousEventID: string | null
  readonly replayId: string | null
  readonly traceId: string | null
  readonly startTimestamp?: number
  readonly endTimestamp?: number
  readonly measurements?: Readonly<
    Record<string, { readonly value: number; readonly unit: string }>
  >
  /** Position among the events in the filter, 1 = oldest; absent outside an issue. */
  readonly position?: { readonly index: number; readonly of: number }
}

export interface ApiEventUser {
  readonly id: string | null
  readonly email: string | null
  readonly username: string | null
  readonly name: string | null
  readonly ip_address: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** A row of `GET …/issues/{id}/events/`. */
export interface ApiEventSummary {
  readonly id: string
  readonly 'event.type': string
  readonly location: string | null
  readonly eventID: string
  readonly projectID: string
  readonly groupID: string | null
  readonly title: string
  readonly message: string
  readonly culprit: string
  readonly platform: string
  readonly dateCreated: string
  readonly user: ApiEventUser | null
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  readonly replayId: string | null
  readonly traceId: string | null
}

export type ApiEntry =
  | {
      readonly type: 'exception'
      readonly data: { readonly values: readonly ApiException[]; readonly hasSystemFrames: boolean }
    }
  | {
      readonly type: 'message'
      readonly data: {
        readonly message: string | null
        readonly formatted: string
        readonly params: unknown
      }
    }
  | { readonly type: 'stacktrace'; readonly data: ApiStacktrace }
  | { readonly type: 'threads'; readonly data: { readonly values: readonly ApiThread[] } }
  | { readonly type: 'breadcrumbs'; readonly data: { readonly values: readonly ApiBreadcrumb[] } }
  | { readonly type: 'request'; readonly data: ApiRequest }
  | { readonly type: 'spans'; readonly data: readonly ApiEventSpan[] }
  | { readonly type: 'csp'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: 'template'; readonly data: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'debugmeta'
      readonly data: { readonly images: readonly Readonly<Record<string, unknown>>[] }
    }

/** A span of a transaction event, as it was sent with the event. Times in seconds. */
export interface ApiEventSpan {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly op: string
  readonly description: string | null
  readonly origin: string | null
  readonly status: string
  readonly start_timestamp: number
  readonly timestamp: number
  readonly data: Readonly<Record<string, unknown>>
}

export interface ApiException {
  readonly type: string | null
  readonly value: string | null
  readonly module: string | null
  readonly threadId: string | number | null
  readonly mechanism: ApiMechanism | null
  readonly stacktrace: ApiStacktrace | null
  readonly rawStacktrace: ApiStacktrace | null
}

export interface ApiMechanism {
  readonly type: string
  readonly handled: boolean | null
  readonly synthetic?: boolean
  readonly description?: string
  readonly help_link?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly exception_id?: number
  readonly parent_id?: number
  readonly is_exception_group?: boolean
  readonly source?: string
}

export interface ApiThread {
  readonly id: string | number | null
  readonly name: string | null
  readonly crashed: boolean
  readonly current: boolean
  readonly stacktrace: ApiStacktrace | null
}

/** Frames oldest first: the last one threw. */
export interface ApiStacktrace {
  readonly frames: readonly ApiFrame[]
  readonly framesOmitted: readonly [number, number] | null
  readonly hasSystemFrames: boolean
}

export interface ApiFrame {
  readonly filename: string | null
  readonly absPath: string | null
  readonly module: string | null
  readonly package: string | null
  readonly function: string | null
  readonly rawFunction: string | null
  /** 1-based. */
  readonly lineNo: number | null
  readonly colNo: number | null
  readonly inApp: boolean
  /** `[line number, text]`, in order. */
  readonly context: readonly (readonly [number, string])[]
  readonly vars: Readonly<Record<string, unknown>> | null
  readonly platform: string | null
}

export interface ApiBreadcrumb {
  /** ISO, corrected; null when the SDK gave none. */
  readonly timestamp: string | null
  readonly type: string
  readonly category: string | null
  readonly level: string
  readonly message: string | null
  readonly data: Readonly<Record<string, unknown>> | null
  readonly event_id: string | null
}

export interface ApiRequest {
  readonly url: string | null
  readonly method: string | null
  readonly query: readonly (readonly [string, string])[] | string | null
  readonly fragment: string | null
  readonly data: unknown
  readonly headers: readonly (readonly [string, string])[]
  readonly cookies: readonly (readonly [string, string])[]
  readonly env: Readonly<Record<string, unknown>> | null
  readonly inferredContentType: string | null
}

/** `GET /api/0/projects/main/{slug}/events/{id}/attachments/` */
export interface ApiAttachment {
  readonly id: string
  readonly event_id: string
  readonly type: string
  readonly name: string
  readonly mimetype: string
  readonly dateCreated: string
  readonly size: number
  /** Empty for an attachment of before it was kept. */
  readonly sha1: string
  readonly sha256: string
  readonly headers: Readonly<Record<string, string>>
}
