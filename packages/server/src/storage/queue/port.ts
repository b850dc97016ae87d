/**
 * The queue between ingest (the only writer) and process (the only reader): accepted envelopes,
 * in order of arrival, durable, delivered at least once.
 */
export interface Queue {
  /**
   * Resolves when the delivery is on disk (fsynced). Takes its bytes over: they may be gone from
   * where they were as soon as this was called. Throws `QUEUE_FULL` or `STORAGE_FAILED`.
   */
  publish(delivery: Delivery): Promise<void>
  /** Resolves when a delivery could be published now; throws what `publish` would. For readiness. */
  check(): Promise<void>
  /**
   * The next deliveries, oldest first, at most `max`, leased for `leaseMs`: one that is neither
   * done nor set aside by then is delivered again. Waits until there is at least one; resolves
   * with none when `signal` aborts. A delivery that was leased when the process died comes back
   * alone, with its attempts counted, so that one poisonous envelope cannot take others along.
   */
  take(max: number, leaseMs: number, signal?: AbortSignal): Promise<readonly Lease[]>
  /** Forgets the deliveries. Idempotent. */
  done(leases: readonly Lease[]): Promise<void>
  /** Moves a delivery out of the way, kept with its reason for a person to look at. Idempotent. */
  setAside(lease: Lease, reason: string): Promise<void>
  /** What waits. */
  stats(): Promise<QueueStats>
  close(): Promise<void>
}

/** One accepted envelope with what only ingest knows about it. */
export interface Delivery {
  /** Milliseconds since the epoch, stamped once by ingest; processing never reads the clock. */
  readonly receivedAt: number
  readonly projectId: number
  /** The public key that authenticated it, 32 hex. */
  readonly keyId: string
  /** The sender's address, as far as the proxy settings let it be trusted; null when unknown. */
  readonly remoteAddress: string | null
  readonly userAgent: string | null
  /** The whole envelope, decompressed. */
  readonly bytes: Uint8Array
}

export interface Lease {
  /** Stable over redeliveries: names the place of the delivery in the log. */
  readonly id: string
  /** 1 at the first delivery. */
  readonly attempts: number
  readonly delivery: Delivery
}

export interface QueueStats {
  readonly waiting: number
  /** On disk, as the queue keeps them. */
  readonly waitingBytes: number
  /** `receivedAt` of the oldest that waits; null when none does. */
  readonly oldestReceivedAt: number | null
  readonly setAside: number
}
