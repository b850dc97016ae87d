/**
 * A row of `GET /api/0/organizations/main/replays/`, and the answer of `…/replays/{id}/`, under
 * `data`.
 */
export interface ApiReplay {
  readonly id: string
  readonly project_id: string
  readonly replay_type: 'session' | 'buffer'
  readonly started_at: string
  readonly finished_at: string
  /** Seconds. */
  readonly duration: number
  readonly count_segments: number
  readonly count_errors: number
  readonly count_warnings: number
  readonly count_infos: number
  readonly count_urls: number
  readonly count_dead_clicks: number
  readonly count_rage_clicks: number
  /** 1 to 10. */
  readonly activity: number
  readonly urls: readonly string[]
  readonly error_ids: readonly string[]
  readonly trace_ids: readonly string[]
  readonly environment: string | null
  readonly releases: readonly string[]
  readonly platform: string
  readonly is_archived: boolean
  readonly user: {
    readonly id: string | null
    readonly email: string | null
    readonly username: string | null
    readonly ip: string | null
    readonly display_name: string | null
  }
  readonly browser: { readonly name: string | null; readonly version: string | null }
  readonly os: { readonly name: string | null; readonly version: string | null }
  readonly device: { readonly name: string | null; readonly family: string | null }
  readonly sdk: { readonly name: string | null; readonly version: string | null }
  readonly tags: Readonly<Record<string, readonly string[]>>
}

/**
 * `GET /api/0/projects/main/{slug}/replays/{id}/recording-segments/`: with `?download=true` the
 * rrweb events, an array per segment in order of segment id; else this description of each.
 */
export interface ApiReplaySegment {
  readonly replayId: string
  readonly segmentId: number
  readonly projectId: string
  readonly dateAdded: string | null
  /** On the client's clock, from the recording; null when it holds no event. */
  readonly firstEventAt: string | null
  readonly lastEventAt: string | null
}

/** An rrweb event as recorded, for the player and the panels. */
export interface RecordingEvent {
  readonly type: number
  /** ms, the client's clock. */
  readonly timestamp: number
  readonly data: unknown
}
