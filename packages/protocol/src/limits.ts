/**
 * Every size and count that bounds what we read from the wire. Names end in their unit. The reason
 * is beside each number; "Relay" means the default of Sentry's own front door, for which SDKs are
 * made. A particular server may admit less, never more.
 */

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Whole envelope after decompression. Relay's number; an attachment of 200 MiB must still fit. */
export const envelopeBytesMax = 200 * mebibyte

/** HTTP body as it travels. Same order as the decompressed limit, since browsers compress nothing. */
export const bodyBytesMax = 200 * mebibyte

/**
 * One header line, of the envelope or of an item. The longest real ones carry a trace context,
 * whose baggage form is at most 8192 characters; JSON escapes and the SDK's list of integrations
 * come on top. It bounds what is parsed as JSON before anyone is authenticated.
 */
export const headerLineBytesMax = 64 * kibibyte

/** Nesting of a header's JSON. Real ones reach 4; deeper ones would overflow recursive readers. */
export const headerDepthMax = 16

/**
 * Items in one envelope, of all types, unknown ones too. All the limits per type together allow
 * under 400; the rest is room for types that do not exist yet. Bounds memory per byte received.
 */
export const envelopeItemsMax = 1000

/** Greatest `length` an item may state: an unsigned 32-bit integer by the format. */
export const itemLengthMax = 4_294_967_295

/** Event, transaction, feedback: one JSON document. Relay's number. */
export const eventBytesMax = 1 * mebibyte
/** Each attachment, and all of an envelope together. Relay's number. */
export const attachmentBytesMax = 200 * mebibyte
export const attachmentsMax = 30
/** One session, or one document of aggregates. Relay's numbers. */
export const sessionBytesMax = 10 * mebibyte
export const sessionsMax = 100
export const clientReportBytesMax = 100 * kibibyte
export const clientReportsMax = 100
export const checkInBytesMax = 100 * kibibyte
/** The browser sends the report itself, so it cannot be bigger than a page's policy makes it. */
export const securityReportBytesMax = 1 * mebibyte
export const profileBytesMax = 50 * mebibyte
/** A container of logs, metrics or streamed spans, all items together. Relay's number. */
export const containerBytesMax = 12 * mebibyte
/** Spans that come one per item (web vitals of SDK 8 to 10). Relay's number. */
export const standaloneSpansMax = 25
/** Items of one container: ten times what the most generous SDK buffers (1000). */
export const containerItemsMax = 10_000
/** A replay recording as sent, and after inflating. Relay's numbers. */
export const recordingBytesMax = 10 * mebibyte
export const recordingInflatedBytesMax = 100 * mebibyte
/** First line of a recording: `{"segment_id":N}`. Room for members that newer SDKs may add. */
export const recordingHeaderBytesMax = 4 * kibibyte
/** Lists of a replay segment: urls, error ids, trace ids. The SDK's own cap. */
export const replayListMax = 100
/** User reports, and types we know of but drop. */
export const smallItemBytesMax = 1 * mebibyte
/** Items of a type that is dropped or unknown, in one envelope. */
export const droppedItemsMax = 100

/** Clock drift under this is left alone. */
export const clockDriftMsMin = 55 * 60 * 1000
/** An event this far ahead of its receipt is moved to it. */
export const futureMsMax = 60 * 1000
/** An event older than this at its receipt is moved to it. */
export const ageMsMax = 30 * 24 * 60 * 60 * 1000
/** Updates of a session are taken this long after its start. */
export const sessionAgeMsMax = 5 * 24 * 60 * 60 * 1000

/**
 * Nesting of a payload's JSON: as much as Relay's parser reads, and far from the end of any stack.
 */
export const jsonDepthMax = 128
/** A person's words: the widget's own limit. */
export const feedbackCharactersMax = 4096
/** Name of a monitor in addresses. Sentry's number. */
export const monitorSlugCharactersMax = 50
