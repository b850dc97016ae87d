export type IssueStatus = 'unresolved' | 'resolved' | 'ignored'

export type IssueSubstatus =
  | 'new'
  | 'ongoing'
  | 'escalating'
  | 'regressed'
  | 'archived_until_escalating'
  | 'archived_until_condition_met'
  | 'archived_forever'
  | null

/** `[seconds since the epoch, events]`, one pair per bucket, oldest first. */
export type ApiSeries = readonly (readonly [number, number])[]

/** The release in which an issue was seen first or last. */
export interface ApiIssueRelease {
  readonly version: string
  /** Without the package before `@`. */
  readonly shortVersion: string
}

/** A row of `GET /api/0/organizations/main/issues/` and the base of the detail. */
export interface ApiIssue {
  readonly id: string
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly permalink: string
  readonly level: string
  readonly type: string
  readonly platform: string
  readonly logger: string | null
  readonly metadata: {
    readonly title?: string
    readonly type?: string
    readonly value?: string
    readonly filename?: string
    readonly function?: string
  }
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  readonly statusDetails: Readonly<Record<string, unknown>>
  readonly isUnhandled: boolean
  readonly project: {
    readonly id: string
    readonly slug: string
    readonly name: string
    readonly platform: string | null
  }
  readonly assignedTo: {
    readonly type: 'user'
    readonly id: string
    readonly name: string
    readonly email: string
  } | null
  /** Number of events in the query's range and filter, as a string like Sentry's. */
  readonly count: string
  readonly userCount: number
  readonly firstSeen: string
  readonly lastSeen: string
  readonly numComments: number
  readonly isBookmarked: boolean
  readonly hasSeen: boolean
  readonly firstRelease: ApiIssueRelease | null
  readonly lastRelease: ApiIssueRelease | null
  readonly issueType: string
  readonly issueCategory: string
  /** `high`, `medium` or `low`, by level and by whether anything caught it. */
  readonly priority: string
  /** Number of replays linked to its events in the range. */
  readonly replayCount: number
  /** Keyed by `24h`, `14d` or `auto`, as asked for by `?groupStatsPeriod=`. */
  readonly stats: Readonly<Record<string, ApiSeries>>
}

export interface ApiActivity {
  readonly id: string
  /** first_seen, set_resolved, set_unresolved, set_ignored, set_regression, assigned, note, mark_reviewed, unmark_reviewed, shared, unshared */
  readonly type: string
  readonly user: { readonly id: string; readonly name: string } | null
  readonly dateCreated: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ApiTagValue {
  readonly key: string
  readonly value: string
  readonly name: string
  readonly count: number
  readonly lastSeen: string | null
}

/**
 * `GET /api/0/organizations/main/issues/{id}/tags/`. A time range is widened to whole UTC days.
 * With a search or an environment the newest 5,000 matching events are counted, otherwise all.
 */
export interface ApiTag {
  readonly key: string
  readonly name: string
  /** Events that have the tag. */
  readonly totalValues: number
  /** Distinct values; for a key with very many, only those with a counter of their own. */
  readonly uniqueValues: number
  readonly topValues: readonly ApiTagValue[]
}

/** `GET /api/0/organizations/main/issues/{id}/` */
export interface ApiIssueDetail extends ApiIssue {
  readonly activity: readonly ApiActivity[]
  readonly tags: readonly ApiTag[]
  readonly seenBy: readonly { readonly id: string; readonly name: string }[]
  readonly share: { readonly id: string; readonly url: string } | null
}

/** The body of `PUT …/issues/{id}/` and of the bulk form `PUT …/issues/?id=1&id=2`. */
export interface ApiIssueUpdate {
  readonly status?: 'unresolved' | 'resolved' | 'resolvedInNextRelease' | 'ignored'
  readonly substatus?: Exclude<IssueSubstatus, null>
  readonly statusDetails?: {
    readonly inRelease?: string
    readonly inNextRelease?: boolean
    readonly ignoreCount?: number
    readonly ignoreWindow?: number
    readonly ignoreUserCount?: number
    readonly ignoreUserWindow?: number
    readonly ignoreDuration?: number
  }
  readonly assignedTo?: string | null
  readonly hasSeen?: boolean
  readonly isBookmarked?: boolean
}
