import type { ApiEvent } from './event.ts'
import type { ApiIssue } from './issue.ts'
import type { ApiReplay } from './replay.ts'

/**
 * `GET /api/0/shared/issues/{token}/`: an issue as anyone with its share link sees it, without
 * assignee and affected people. 404 when the link was revoked or never existed.
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
   * The newest event; null when none is kept. It has its exceptions, stack, message and breadcrumbs
   * only: people, tags, contexts, requests and variables are empty.
   */
  readonly event: ApiEvent | null
  /** Token of a shared replay in which the issue happened; null when there is none. */
  readonly replayToken: string | null
}

/**
 * `GET /api/0/shared/replays/{token}/`. The recording is at `…/{token}/recording-segments/`, as for
 * a replay that is not shared.
 */
export interface ApiSharedReplay {
  /** All members of `user` are null. */
  readonly replay: ApiReplay
  readonly errors: readonly ApiSharedError[]
  /** Token of a shared issue that happened in it; null when there is none. */
  readonly issueToken: string | null
}

export interface ApiSharedError {
  readonly event_id: string
  readonly title: string
  readonly level: string
  readonly timestamp: string
}
