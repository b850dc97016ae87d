/**
 * Bounds on the content of one item. The worker has already checked its size in bytes; these bound
 * the result of unfolding it. The protocol's limits bound the wire itself. Content beyond a bound
 * is cut or refused, and counted.
 */
export const itemLimits = {
  /** Spans of one transaction or container: SDKs stop at 1,000; other languages may send more. */
  spansMax: 5_000,
  /** Distinct releases that one container may tell metadata of. */
  releasesMax: 20,
  attributesMax: 256,
  attributeKeyCharsMax: 200,
  /** A SQL statement or a URL is longer than a tag, and still bounded. */
  attributeTextCharsMax: 8_192,
  attributeArrayMax: 100,
  attributeDepthMax: 5,
  /** All attributes of one span, log or metric together, as JSON. */
  attributeCharsMax: 65_536,
  linksMax: 100,
  spanNameCharsMax: 2_048,
  labelCharsMax: 200,
  logBodyCharsMax: 65_536,
  /** An hour of busy page gives some 100,000; a segment is five seconds, or a buffered minute. */
  recordingEventsMax: 100_000,
  /** The SDK's own buffer holds 20,000,000 characters. */
  recordingEventBytesMax: 32 * 1024 * 1024,
  /** Recorders scale canvases to 1,280 px a side: 0.3 MB as WebP, at most 9 MB as PNG. */
  recordingPictureBytesMax: 9 * 1024 * 1024,
  /**
   * JSON values in one event: bounds the memory of parsing it, at about 60 bytes each. A page of
   * 100,000 elements has about a million.
   */
  recordingEventValuesMax: 4_000_000,
  /** An element costs two levels; browsers nest elements 512 deep when they parse a page. */
  recordingDepthMax: 2_000,
  sessionBucketsMax: 1_000,
  discardsMax: 500,
  attachmentNameCharsMax: 255,
} as const
