/** Every time, count and size that bounds the recorder, each with its reason. */

/**
 * A segment is sent this long after the newest of its events, and at most that long after its first.
 * @see docs/specification.md#s18
 */
export const flushDelayMs = 5000
export const flushDelayMaxMs = 5500
/** Shorter replays are not sent: nothing can be seen in them. @see docs/specification.md#s19 */
export const replayMinMs = 5000
export const replayMaxMs = 3_600_000
/**
 * Without a click, input or navigation for so long the recorder pauses, then the session ends.
 * @see docs/specification.md#s20
 */
export const idlePauseMs = 300_000
export const idleExpiryMs = 900_000
/** Recorded events that wait, in characters of JSON. @see docs/specification.md#s21 */
export const bufferCharactersMax = 20_000_000
/**
 * Mutations in one delivery that end a recording, and that are worth a breadcrumb.
 * @see docs/specification.md#s22
 */
export const mutationsMax = 10_000
export const mutationsNotable = 750
/** A click that changed nothing for so long is dead. @see docs/specification.md#s23 */
export const slowClickMs = 7000
/** A reaction later than this is slow; a scroll must follow sooner. Reference numbers. */
export const promptMutationMs = 3000
export const promptScrollMs = 300
/** A page left so long after a click that had no reaction was not left because of it. */
export const abandonedClickMs = 1000
/** A link is followed this soon after its click. */
export const linkMs = 100
/** Clicks on one element within this time of each other are one burst. */
export const clickBurstMs = 1000
/**
 * Waits before the second, third and fourth request. "Retried up to 3 times" is said of the first
 * request here: a segment that is lost leaves a gap which no later one fills, so each gets 4 requests.
 * (Page data, which a hard navigation fetches anew, gets 3 in all.)
 */
export const retryWaitsMs = [5000, 10_000, 30_000]
/** Bodies of requests and responses, and the time to read one. @see docs/specification.md#s25 */
export const bodyCharactersMax = 150_000
export const bodyReadMs = 500
/** Custom events in a sliding time. @see docs/specification.md#s26 */
export const customEventsMax = 300
export const customEventsMs = 5000
/** In buffer mode a new checkpoint is taken so often, and the one before it is kept as long again. */
export const checkpointMs = 60_000
/** Compressed events that are handed to the next page of the tab: half of what tabs have for storage. */
export const carryBytesMax = 2 * 1024 * 1024
/**
 * Text collected before it is compressed, below what a hidden page can send uncompressed. What comes in
 * one burst stays together, but no more than that: a page in a storm makes one segment in two seconds, not
 * twenty-four.
 */
export const chunkCharacters = 48_000
export const chunkCharactersMax = 2_000_000
export const burstPauseMs = 200
export const burstMs = 2000
/** Time for a worker to compress a chunk; then the page does it. */
export const compressMs = 5000
/**
 * Envelope of a segment that a page sends as it goes. Browsers keep 64 KiB alive in all: one segment
 * leaves the rest to vitals, sessions and reports, several may need it.
 */
export const lastBodyBytesMax = 61_440
/** Ids and addresses in one segment's description. */
export const listedMax = 100
/** Text of a console breadcrumb. */
export const consoleCharactersMax = 5000
/** Errors before the recorder arrived that are tied to its replay. */
export const earlyErrorsMax = 20
/** Removed shadow hosts after which the recording starts afresh: rrweb holds on to their roots. */
export const lostShadowHostsMax = 500
/** Shapes of masked texts that are kept, of texts no longer than that: 0.1 MB at most. */
export const shapesMax = 2000
export const shapeCharactersMax = 24
/** Style sheets in the document and their texts, since the last full snapshot. */
export const styledMax = 10_000
/** Passwords that are recognised where they appear again, and fields whose values are looked at for that. */
export const secretsMax = 50
export const secretFieldsMax = 20
/** Names of attributes, and words of style sheets, of which it is remembered what they are. */
export const answersMax = 2000
/** What a masked value becomes, whatever its length was. */
export const fixedMask = '********'
