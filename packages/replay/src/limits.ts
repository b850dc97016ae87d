/**
 * Every time, count and size that bounds the recorder, each with its reason. Numbers first: bundlers
 * write those in place of their names up to the first value of another kind.
 */

/**
 * A segment is sent this long after the newest of its events, and at most that long after its first.
 * @see docs/specification.md#s18
 */
export const flushDelayMs = 5000
export const flushDelayMaxMs = 5500
/** Shorter replays are not sent, since they show nothing. @see docs/specification.md#s19 */
export const replayMinMs = 5000
export const replayMaxMs = 3_600_000
/**
 * Without a click, input or navigation for this long the recorder pauses, then the session ends.
 * @see docs/specification.md#s20
 */
export const idlePauseMs = 300_000
export const idleExpiryMs = 900_000
/** Recorded events not yet sent, in characters of JSON. @see docs/specification.md#s21 */
export const bufferCharactersMax = 20_000_000
/**
 * Mutations in one delivery that end a recording, and that earn a breadcrumb.
 * @see docs/specification.md#s22
 */
export const mutationsMax = 10_000
export const mutationsNotable = 750
/** A click without a change for this long is dead. @see docs/specification.md#s23 */
export const slowClickMs = 7000
/** A reaction later than this is slow; a scroll must follow sooner. Reference numbers. */
export const promptMutationMs = 3000
export const promptScrollMs = 300
/** A page left this long after an unanswered click was not left because of it. */
export const abandonedClickMs = 1000
/** Time between a click on a link and its navigation. */
export const linkMs = 100
/** Clicks on one element within this time of each other are one burst. */
export const clickBurstMs = 1000
/** Bodies of requests and responses, and the time to read one. @see docs/specification.md#s25 */
export const bodyCharactersMax = 150_000
export const bodyReadMs = 500
/** Custom events within a sliding window. @see docs/specification.md#s26 */
export const customEventsMax = 300
export const customEventsMs = 5000
/** Interval of checkpoints in buffer mode; the previous generation is kept for as long again. */
export const checkpointMs = 60_000
/** Compressed events handed to the next page of the tab: half of the storage that a tab has. */
export const carryBytesMax = 2_097_152
/**
 * Characters collected before they are compressed, few enough for a hidden page to send
 * uncompressed. A burst stays together up to the second limit: a busy page sends one segment in two
 * seconds, not twenty-four.
 */
export const chunkCharacters = 48_000
export const chunkCharactersMax = 2_000_000
export const burstPauseMs = 200
export const burstMs = 2000
/** Time for a worker to compress a chunk; then the page does it. */
export const compressMs = 5000
/**
 * Body of a segment sent while the page is being left. Browsers keep 64 KiB alive in all; one
 * segment leaves the rest to vitals, sessions and reports.
 */
export const lastBodyBytesMax = 61_440
/** Ids and addresses listed in one segment. */
export const listedMax = 100
/** Characters of a console breadcrumb. */
export const consoleCharactersMax = 5000
/** Errors from before the recorder was loaded that are tied to its replay. */
export const earlyErrorsMax = 20
/** Removed shadow hosts after which the recording restarts: rrweb keeps their roots in memory. */
export const lostShadowHostsMax = 500
/** Shapes of masked texts that are cached, and the longest such text: 0.1 MB at most. */
export const shapesMax = 2000
export const shapeCharactersMax = 24
/** Passwords remembered for recognition elsewhere, and password fields whose values are checked. */
export const secretsMax = 50
export const secretFieldsMax = 20
/** Styles of rules that scripts have read, and the interval at which they are compared. */
export const ruleStylesMax = 100
export const styleCheckMs = 200
/** Cached decisions about attribute names and words of style sheets. */
export const answersMax = 2000
/** The mask of a value, whatever its length was. */
export const fixedMask = '********'
/**
 * Waits before the second, third and fourth request. "Retried up to 3 times" excludes the first
 * request here: a lost segment leaves a gap that no later one fills, so each gets 4. (Page data
 * gets 3 in all, since a hard navigation fetches it anew.)
 */
export const retryWaitsMs = [5000, 10_000, 30_000]
