/** Limits of connections, of heads, and of what waits for `web`. */
import { defaultIngestLimits, type IngestLimits } from '../ingest/limits.ts'

/** Those of ingest, which reads bodies for it, among them. */
export interface FrontDoorLimits extends IngestLimits {
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
  readonly connectionsMax: number
  /** Idle connections stay open a little longer than a load balancer's usual minute. */
  readonly keepAliveMs: number
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

export const defaultFrontDoorLimits: FrontDoorLimits = {
  ...defaultIngestLimits,
  targetBytesMax: 16 * 1024,
  headBytesMax: 32 * 1024,
  headersMax: 200,
  headMs: 10_000,
  connectionsMax: 10_000,
  keepAliveMs: 65_000,
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
