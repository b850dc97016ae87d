/** What bounds the front door. Sizes of the wire's own things stand in the protocol's limits. */
import { bodyBytesMax, envelopeBytesMax, eventBytesMax } from '@afterimage/protocol/limits'

export interface IngestLimits {
  /** An HTTP body as it travels. */
  readonly bodyBytesMax: number
  /** A body after decompression, enforced while it is decompressed. */
  readonly decodedBytesMax: number
  /** An event of `/store/` and a browser's report: they are parsed here. */
  readonly parsedBytesMax: number
  /** Bodies of all requests together, as sent and decompressed; beyond it the answer is 503. */
  readonly bodiesBytesMax: number
  /** Request line and headers; cookies and trace context of the console need the room. */
  readonly headBytesMax: number
  readonly headersMax: number
  /** All headers must have come by then. */
  readonly headMs: number
  /** A body may pause this long. */
  readonly bodyIdleMs: number
  /** A body must be complete by then: long enough for 10 MiB over a bad mobile line. */
  readonly bodyMs: number
  readonly connectionsMax: number
  /** Idle connections stay open a little longer than a load balancer's usual minute. */
  readonly keepAliveMs: number
  /** What is read of a refused body, so that the sender gets to see the answer. */
  readonly drainBytesMax: number
  readonly drainMs: number
  /** A region's whole answer must have come by then. */
  readonly regionMs: number
  readonly regionAnswerBytesMax: number
  /** Reports of one Reporting API request. */
  readonly reportsMax: number
  /** Requests under way at a stop get this long. */
  readonly stopMs: number
}

const mebibyte = 1024 * 1024

export const defaultIngestLimits: IngestLimits = {
  bodyBytesMax,
  decodedBytesMax: envelopeBytesMax,
  parsedBytesMax: eventBytesMax,
  bodiesBytesMax: 512 * mebibyte,
  headBytesMax: 32 * 1024,
  headersMax: 200,
  headMs: 10_000,
  bodyIdleMs: 15_000,
  bodyMs: 120_000,
  connectionsMax: 10_000,
  keepAliveMs: 65_000,
  drainBytesMax: mebibyte,
  drainMs: 2_000,
  regionMs: 10_000,
  regionAnswerBytesMax: 64 * 1024,
  reportsMax: 100,
  stopMs: 5_000,
}
