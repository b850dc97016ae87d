/**
 * The queue between ingest (the only writer) and process (the only reader): accepted envelopes,
 * durable, delivered at least once, those of a project in order of arrival.
 */
export interface QueueWriter {
  /**
   * Resolves when the delivery is durable (fsynced). Takes ownership of its bytes: the caller may
   * not use them after the call. Throws `QUEUE_FULL` or `STORAGE_FAILED`.
   */
  publish(delivery: Delivery): Promise<void>
  /** Resolves when a delivery could be published now; throws what `publish` would. For readiness. */
  check(): Promise<void>
  stats(): Promise<QueueStats>
  close(): Promise<void>
}

/**
 * Deliveries of each other project that may come before a project's next one, however many wait. A
 * queue tells a bounded number of projects apart; beyond it, some count as one. After a start it
 * may take several takes until a long backlog is known.
 */
export const fairTurnMax = 8

/** The other side of the queue. */
export interface QueueReader {
  /**
   * Leases the next deliveries for `leaseMs`, at most `max`: the oldest of each project first, and
   * the projects in turn. One that is neither done nor set aside by then is delivered again. Waits
   * for at least one; resolves with an empty list when `signal` aborts. A delivery that was leased
   * when the process died comes back alone, with its attempts counted, so that one poisonous
   * envelope cannot fail others.
   */
  take(max: number, leaseMs: number, signal?: AbortSignal): Promise<readonly Lease[]>
  /**
   * Removes deliveries that are processed. Idempotent. Once it resolves they never come again, whatever
   * happens to the process; after a power cut those of the last seconds may.
   */
  done(leases: readonly Lease[]): Promise<void>
  /** Sets a delivery aside with its reason, for an operator to inspect. Idempotent. */
  setAside(lease: Lease, reason: string): Promise<void>
  stats(): Promise<QueueStats>
  close(): Promise<void>
}

/** One accepted envelope with the facts that only ingest knows. */
export interface Delivery {
  /** Milliseconds since the epoch, stamped once by ingest; processing never reads the clock. */
  readonly receivedAt: number
  readonly projectId: number
  /** The public key that authenticated it, 32 hex; empty for the front door's own reports. */
  readonly keyId: string
  /** The sender's address under the proxy settings; null when unknown. */
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

/** Damage that a reader found in accepted data. The bytes are kept for `afterimage queue requeue`. */
export interface QueueDamage {
  /** The file that holds them now. */
  readonly path: string
  /** Bytes that could not be read. */
  readonly bytes: number
}

/** The backlog, and the deliveries that could not be processed. */
export interface QueueStats {
  readonly waiting: number
  /** Bytes on disk, as the queue stores them. */
  readonly waitingBytes: number
  /** `receivedAt` of the oldest waiting delivery; null when none waits. */
  readonly oldestReceivedAt: number | null
  /** Deliveries and damaged segments that were set aside. */
  readonly setAside: number
}
