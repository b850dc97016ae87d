import type { ApiEvent } from './event.ts'
import type { ApiIssue } from './issue.ts'
import type { ApiReplay } from './replay.ts'

/**
 * `GET /api/0/shared/issues/{token}/`: what a share link of an issue shows to anyone who has it. 404
 * when the link was revoked or never was. Without who is assigned and whom it happened to.
 */
export interface ApiSharedIssue {
  readonly issue: Pick<
    ApiIssue,
    | 'shortId'
    | 'title'
    | 'culprit'
    | 'level'
    | 'metadata'
    | 'status'
    | 'count'
    | 'userCount'
    | 'firstSeen'
    | 'lastSeen'
  >
  /**
   * The newest event; null when none is kept. Its exceptions, stack, message and breadcrumbs only:
   * people, tags, contexts, requests and variables are empty.
   */
  readonly event: ApiEvent | null
  /** Token of a replay shared likewise in which the issue happened; null when there is none. */
  readonly replayToken: string | null
}

/**
 * `GET /api/0/shared/replays/{token}/`; the recording is at `…/{token}/recording-segments/`, as for a
 * replay that is not shared.
 */
export interface ApiSharedReplay {
  /** Without `user` beyond nulls. */
  readonly replay: ApiReplay
  readonly errors: readonly ApiSharedError[]
  /** Token of an issue shared likewise that happened in it; null when there is none. */
  readonly issueToken: string | null
}

export interface ApiSharedError {
  readonly event_id: string
  readonly title: string
  readonly level: string
  readonly timestamp: string
}
