/** Limits of the front door. Sizes on the wire are in the protocol's limits. */
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
  /** The address of a request, with its query: a search, or an event in the address of an image. */
  readonly targetBytesMax: number
  /**
   * Request line and headers; cookies and trace context of the console need the room. `web` takes
   * more, so that nothing that passes here is too large there.
   */
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
  /** Bytes read of a refused body, so that the sender receives the answer. */
  readonly drainBytesMax: number
  readonly drainMs: number
  /** A region's whole answer must have come by then. */
  readonly regionMs: number
  readonly regionAnswerBytesMax: number
  /** Reports of one Reporting API request. */
  readonly reportsMax: number
  /** Requests that may wait on one connection while `web` is asked for the one before. */
  readonly pipelinedMax: number
  /** Requests that `web` works on at once: it has one thread, and renders a page in some 10 ms. */
  readonly webRequestsMax: number
  /** The share of one sender, so that there is always room for another. */
  readonly webRequestsPerSenderMax: number
  /** Requests that wait for `web`; beyond it the sender with the longest line gets a 503. */
  readonly webWaitingMax: number
  /** A request waits this long for its turn. */
  readonly webWaitMs: number
  /** A turn ends at the latest so long after the answer has begun; a slow reader goes on reading. */
  readonly webTurnMs: number
  /** A reader who takes nothing for so long is gone. */
  readonly answerIdleMs: number
  /** While `web` has no room for one more connection, it is asked again for so long, so often. */
  readonly webConnectMs: number
  readonly webRetryMs: number
  /** Bodies for `web`, of all requests together. */
  readonly webBodiesBytesMax: number
  /** Such a body must be complete by then. */
  readonly webBodyMs: number
  /** Connections that have become another protocol: reloading, in development. */
  readonly upgradedMax: number
  /** Requests in flight at a stop get this long. */
  readonly stopMs: number
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
  targetBytesMax: 16 * 1024,
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
  pipelinedMax: 16,
  webRequestsMax: 32,
  webRequestsPerSenderMax: 16,
  webWaitingMax: 1024,
  webWaitMs: 15_000,
  webTurnMs: 5_000,
  answerIdleMs: 120_000,
  webConnectMs: 5_000,
  webRetryMs: 50,
  webBodiesBytesMax: 64 * mebibyte,
  webBodyMs: 30_000,
  upgradedMax: 64,
  stopMs: 4_000,
}
