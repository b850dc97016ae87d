/** Every count and time that bounds what tracing keeps or sends, each with its reason. */

/** Spans of one transaction, its root included. Reference number. */
export const spansMax = 1000
/** Attributes of one span; the server keeps 256. */
export const attributesMax = 100
/** A name, or one text attribute. Full ones on 1,000 spans still fit what the server takes. */
export const nameCharactersMax = 200
export const attributeCharactersMax = 1024
/** All spans of a transaction as JSON, so that with its event it stays under a mebibyte. */
export const spansCharactersMax = 800_000
/**
 * The same for a page that is being left: with its event it must fit what outlives the page (64 KiB
 * in all).
 */
export const leavingSpansCharactersMax = 40_000
/**
 * Length of the encoded `baggage` value; W3C Baggage requires that this much is passed on.
 * @see docs/specification.md#s13
 */
export const baggageCharactersMax = 8192
/** Length of an incoming `baggage` that is read at all. */
export const baggageReadCharactersMax = 65_536

/** A page load or navigation ends this long after its last child did. */
export const idleMs = 1000
/** … after its newest child began, if one of them never ends. */
export const childMs = 15_000
/** … and after this in any case. */
export const finalMs = 30_000
/**
 * An address that changes this soon after the last change, without a click or key since, was a
 * redirect.
 */
export const redirectMs = 1500
/** A larger web vital is a clock error or a page in the background. Reference number. */
export const vitalMsMax = 60_000
/** Longest interactions of a page, which hold the worst of 500. */
export const interactionsMax = 10
/** Newest pages of one document among which an interaction finds its page. */
export const pagesMax = 50
