/** Rows of one answer. */
export const PAGE_ROWS_MAX = 100
export const PAGE_ROWS_DEFAULT = 25

/** Longest time range of a question: ten years of retention. */
export const RANGE_MS_MAX = 3650 * 24 * 3_600_000
export const RANGE_MS_DEFAULT = 14 * 24 * 3_600_000

/** Points of a series. */
export const BUCKETS_MAX = 1000

/** Issues that one search sorts and pages through; those beyond were seen longest ago. */
export const ISSUE_CANDIDATES_MAX = 10_000

/** Grouping hashes, names or values that one aggregation returns. */
export const GROUPS_MAX = 10_000

/** Hashes named in one condition. */
export const CONDITION_VALUES_MAX = 1000

/** Spans of a trace that are drawn; a larger trace says that it is cut. */
export const TRACE_SPANS_MAX = 20_000
export const TRACE_ERRORS_MAX = 1000

/** Spans answered with one transaction event: SDKs send a thousand at most. */
export const TRANSACTION_SPANS_MAX = 2000

/** Segments of a replay: an hour at one per five seconds, thrice. */
export const REPLAY_SEGMENTS_MAX = 3000

/** A search: long enough for a pasted message. */
export const SEARCH_CHARACTERS_MAX = 2000
export const SEARCH_TERMS_MAX = 50
export const SEARCH_VALUES_MAX = 50

/** Tags shown with an issue, and values of each. */
export const ISSUE_TAGS_MAX = 100
export const TAG_VALUES_MAX = 10
export const TAG_ROWS_MAX = 5000

/** Events whose tags are counted where a filter rules the counters out, and events read at a time. */
export const TAG_SAMPLE_EVENTS = 5000
export const TAG_SAMPLE_PAGE = 1000
