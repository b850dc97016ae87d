/** Limits of what is read for ingest. Sizes on the wire are in the protocol's limits. */
import { bodyBytesMax, envelopeBytesMax, eventBytesMax } from '@afterimage/protocol/limits'

export interface IngestLimits {
  /** An HTTP body as it travels. */
  readonly bodyBytesMax: number
  /** A body after decompression, enforced while it is decompressed. */
  readonly decodedBytesMax: number
  /** An envelope without an attachment or a profile: over twice what all its other items may hold. */
  readonly plainBytesMax: number
  /** A compressed body may become this many times as large as it came; JSON stays under 60. */
  readonly ratioMax: number
  /** Up to this size the ratio is not looked at. */
  readonly ratioFreeBytes: number
  /** From this size on a body counts as large. */
  readonly largeBodyBytes: number
  /** Large bodies of one key at once; beyond it the answer is 503. */
  readonly largeBodiesPerKeyMax: number
  /** An event of `/store/` and a browser's report: they are parsed here. */
  readonly parsedBytesMax: number
  /** Bodies of all requests together, as sent and decompressed; beyond it the answer is 503. */
  readonly bodiesBytesMax: number
  /** A body may pause this long. */
  readonly bodyIdleMs: number
  /** A body must be complete by then: long enough for 10 MiB over a bad mobile line. */
  readonly bodyMs: number
  /** Bytes read of a refused body, so that the sender receives the answer. */
  readonly drainBytesMax: number
  readonly drainMs: number
  /** A region's whole answer must have come by then. */
  readonly regionMs: number
  readonly regionAnswerBytesMax: number
  /** Reports of one Reporting API request. */
  readonly reportsMax: number
}

const mebibyte = 1024 * 1024

export const defaultIngestLimits: IngestLimits = {
  bodyBytesMax,
  decodedBytesMax: envelopeBytesMax,
  plainBytesMax: 32 * mebibyte,
  ratioMax: 200,
  ratioFreeBytes: 4 * mebibyte,
  largeBodyBytes: 8 * mebibyte,
  largeBodiesPerKeyMax: 2,
  parsedBytesMax: eventBytesMax,
  bodiesBytesMax: 512 * mebibyte,
  bodyIdleMs: 15_000,
  bodyMs: 120_000,
  drainBytesMax: mebibyte,
  drainMs: 2_000,
  regionMs: 10_000,
  regionAnswerBytesMax: 64 * 1024,
  reportsMax: 100,
}
