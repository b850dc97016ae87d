/** Limits of the embedded queue. The caller who opens it may set each one. */
export interface LogQueueLimits {
  /** A segment of this size is followed by a new one, so that space is freed in steps. */
  readonly segmentBytesMax: number
  /** Bytes of all segments on disk, consumed parts of the oldest included; more is `QUEUE_FULL`. */
  readonly queueBytesMax: number
  /** Free bytes the disk must keep, so that the stores behind the queue can go on; less is `QUEUE_FULL`. */
  readonly freeBytesMin: number
  /** Uncompressed bytes of one block: the most that one damaged bit can destroy. */
  readonly blockBytesMax: number
  /** Uncompressed bytes handed to one write and one sync. */
  readonly batchBytesMax: number
  /** Pieces of memory, each for one block, that are kept for reuse; a burst allocates more. */
  readonly stagesKeptMax: number
  /** Bytes that wait in memory for their write; more is `QUEUE_FULL`. */
  readonly pendingBytesMax: number
  /**
   * Interval at which disk and folder are measured; callers wait for a new figure when it is five
   * times as old.
   */
  readonly measureMs: number
  /** Decompressed bytes that one `take` hands out; at least one block, whatever its size. */
  readonly takeBytesMax: number
  /**
   * Bytes of envelopes per turn of a lane, at most `fairTurnMax` deliveries; at least one is given.
   */
  readonly turnBytesMax: number
  /** Places of blocks that a reader knows, over all lanes, at some 40 bytes each in memory. */
  readonly blocksKnownMax: number
  /** Places that a lane may know beyond that: a backlog leaves the others room. */
  readonly laneBlocksMin: number
  /** Bytes on disk that one `take` scans for lanes, when it knows of deliveries already. */
  readonly scanBytesMax: number
  /** Bytes of decompressed blocks that a reader keeps, for the next turns. */
  readonly decodedBytesMax: number
  /** Segments that a reader keeps open, each with a window of 1 MiB. */
  readonly openSegmentsMax: number
  /** Deliveries under lease at one time; `take` waits while there are as many. */
  readonly leasesMax: number
  /**
   * Interval at which the reader syncs its cursor: deliveries done since may come again after a
   * power cut.
   */
  readonly cursorSyncMs: number
  /** A reader looks again after this time even when no change was notified. */
  readonly pollMs: number
  /** Deliveries kept in `set-aside`; beyond it the oldest is deleted. */
  readonly setAsideMax: number
  readonly setAsideBytesMax: number
}

const mebibyte = 1024 * 1024

export const defaultLogQueueLimits: LogQueueLimits = {
  segmentBytesMax: 64 * mebibyte,
  queueBytesMax: 8192 * mebibyte,
  freeBytesMin: 512 * mebibyte,
  blockBytesMax: mebibyte / 2,
  batchBytesMax: 8 * mebibyte,
  stagesKeptMax: 8,
  pendingBytesMax: 512 * mebibyte,
  measureMs: 1000,
  takeBytesMax: 16 * mebibyte,
  turnBytesMax: mebibyte / 4,
  blocksKnownMax: 262_144,
  laneBlocksMin: 64,
  scanBytesMax: 64 * mebibyte,
  decodedBytesMax: 16 * mebibyte,
  openSegmentsMax: 4,
  leasesMax: 10_000,
  cursorSyncMs: 1000,
  pollMs: 250,
  setAsideMax: 1000,
  setAsideBytesMax: 1024 * mebibyte,
}
