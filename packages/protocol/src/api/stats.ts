/** `GET /api/0/organizations/main/stats_v2/`: outcomes of items, by the hour. */
export interface ApiStats {
  readonly start: string
  readonly end: string
  readonly intervals: readonly string[]
  readonly groups: readonly {
    readonly by: Readonly<Record<string, string>>
    readonly totals: Readonly<Record<string, number>>
    readonly series: Readonly<Record<string, readonly number[]>>
  }[]
}

/**
 * `GET /api/0/organizations/main/issue-overview/`: the facts behind the sentence that opens the
 * issue stream, and its histogram.
 */
export interface ApiIssueOverview {
  /** The most recently seen release of the projects in view, and the slug of its project. */
  readonly newestRelease: {
    readonly version: string
    readonly firstSeen: string
    readonly project: string
  } | null
  /**
   * First seen at or after the newest release, or in the range when there is no release. With a
   * newest release, these and the regressed ones are of its project: other projects have releases
   * of their own.
   */
  readonly newIssues: number
  readonly regressedIssues: number
  readonly escalatingIssues: number
  /** People with an event in the range. */
  readonly usersAffected: number
  /**
   * People among them who met one of the new or regressed issues; null when those are too many to
   * count.
   */
  readonly usersOfChanges: number | null
  readonly events: number
  readonly quarantined: number
  /** Seconds per bucket, and `[seconds, events]` pairs. */
  readonly histogram: {
    readonly interval: number
    readonly series: readonly (readonly [number, number])[]
  }
  readonly releases: readonly { readonly version: string; readonly firstSeen: string }[]
  readonly views: Readonly<Record<string, number>>
}

/** `GET /api/0/organizations/main/status/`: the facts of the status line for operators. */
export interface ApiServerStatus {
  readonly eventsPerMinute: number
  readonly queue: {
    readonly waiting: number
    readonly oldestAgeMs: number | null
    readonly setAside: number
  }
  readonly disk: { readonly usedBytes: number; readonly freeBytes: number }
  readonly warnings: readonly string[]
}
