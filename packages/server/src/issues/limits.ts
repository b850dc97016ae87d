/** Effects applied in one metadata transaction: long enough to amortise the fsync, short enough that the web's writes wait little. */
export const OUTBOX_BATCH_MAX = 1000

/** Hashes of one event that are looked up and remembered. */
export const EVENT_HASHES_MAX = 20

/** Hashes of an issue that a question to the events store names. An issue gets more only by merging. */
export const ISSUE_HASHES_MAX = 1000

/** Names come from the outside: beyond these a project remembers no new ones (their events are kept). */
export const RELEASES_PER_PROJECT_MAX = 20_000
export const ENVIRONMENTS_PER_PROJECT_MAX = 1000
export const MONITORS_PER_PROJECT_MAX = 1000
export const ENVIRONMENTS_PER_MONITOR_MAX = 50

/** Issues that one bulk change may touch. */
export const BULK_ISSUES_MAX = 1000

export const COMMENT_CHARACTERS_MAX = 20_000

/** An issue is `new` for this long, and `regressed` after it came back. */
export const NEW_FOR_MS = 7 * 24 * 3_600_000
