/** `GET /api/0/organizations/main/monitors/` */
export interface ApiMonitor {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly type: 'cron_job'
  readonly status: 'active'
  readonly isMuted: boolean
  readonly project: { readonly id: string; readonly slug: string; readonly name: string }
  /** As check-ins sent it, beside `schedule_type` and the schedule as a text. */
  readonly config: Readonly<Record<string, unknown>>
  readonly environments: readonly {
    readonly name: string
    readonly status: string
    readonly lastCheckIn: string | null
    readonly nextCheckIn: null
    readonly isMuted: boolean
    readonly dateCreated: string
  }[]
  readonly lastCheckIn: string | null
  readonly nextCheckIn: null
  readonly dateCreated: string
}

/** `GET /api/0/organizations/main/monitors/{slug}/checkins/`: one per check-in id, its latest status. */
export interface ApiCheckIn {
  readonly id: string
  readonly monitorSlug: string
  readonly environment: string | null
  readonly status: string
  /** ms; null while in progress. */
  readonly duration: number | null
  readonly dateCreated: string
  readonly dateUpdated: string
}

/** `GET /api/0/projects/main/{slug}/user-feedback/` */
export interface ApiFeedback {
  readonly id: string
  readonly eventID: string | null
  readonly name: string | null
  readonly email: string | null
  readonly comments: string
  readonly url: string | null
  readonly source: string | null
  readonly replayId: string | null
  readonly dateCreated: string
}

/** `GET /api/0/organizations/main/logs/` */
export interface ApiLog {
  readonly id: string
  readonly timestamp: string
  readonly trace_id: string | null
  readonly span_id: string | null
  readonly level: string
  readonly body: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** `GET /api/0/organizations/main/metrics/` */
export interface ApiMetricPoint {
  readonly id: string
  readonly timestamp: string
  readonly name: string
  readonly type: string
  readonly value: number
  readonly unit: string | null
  readonly attributes: Readonly<Record<string, unknown>>
}

/** `GET /api/0/organizations/main/session-list/`: single sessions, each in its latest state. */
export interface ApiSession {
  readonly sid: string
  readonly did: string | null
  readonly status: string
  readonly errors: number
  readonly started: string
  readonly duration: number | null
  readonly release: string | null
  readonly environment: string | null
}
