/** Every bound of the embedded event store, with its reason. */
export const limits = {
  /** Raw bytes of a payload block: about 100 error events, decompressed in 1-2 ms for a point read. */
  blockBytesMax: 768 * 1024,
  /** Rows of a payload block, for tables whose payloads are small. */
  blockRowsMax: 512,
  /** Small blocks joined before they fill a block: keeps rewriting logarithmic. */
  blocksJoinedMin: 16,
  /** Small blocks examined, per table, in one run of maintenance. */
  blocksLookedAtMax: 4_096,
  /** Tags kept of one row. */
  tagsPerRowMax: 100,
  /** Values of one tag key with their own counters within one grouping hash; the rest share one. */
  tagValuesPerHashMax: 100,
  /** Outcome counters of one project and hour; further types and reasons are counted as `other`. */
  outcomesPerHourMax: 500,
  /** Characters of an outcome's type and reason, which SDKs choose. */
  outcomeTextMax: 64,
  /** Deliveries remembered: far more than a queue has leased when its reader dies. */
  deliveriesKept: 250_000,
  /** Time for which an item without rows is recognised again after it was applied, ms. */
  identityKeptMs: 24 * 3_600_000,
  /** Time for which a removed replay refuses segments, ms: a page may stay open for days. */
  removedReplayKeptMs: 30 * 86_400_000,
  /** Segments a replay is derived from, lowest first; an hour of recording has at most 720. */
  replaySegmentsMax: 5_000,
  /** Error rows counted for one replay: a page that throws in a loop names one thousands of times. */
  replayErrorsMax: 10_000,
  /** Entries of each list of a replay row. */
  replayListMax: 100,
  /** Rows removed in one transaction, which blocks the writer for tens of milliseconds. */
  removeStepRows: 1_000,
  /** Ids examined by one removing transaction where no index leads to the rows. */
  removeScanIds: 50_000,
  /** Dictionary pairs forgotten, and pages given back, by one run of maintenance. */
  pairsForgottenMax: 10_000,
  pagesFreedMax: 4_096,
  /** Entries deleted by one transaction of maintenance. */
  maintainStepRows: 10_000,
  /** Time that a write waits for another process's, ms. */
  writeWaitMs: 10_000,
  /** Time that emptying the log waits for readers, ms; the next run tries again. */
  checkpointWaitMs: 100,
  pageRowsMax: 1_000,
  pageSpansMax: 20_000,
  groupsMax: 10_000,
  /** Groups held while several sources of an aggregate are merged. */
  groupsMergedMax: 200_000,
  outboxMax: 10_000,
  /** Prepared statements kept per connection. */
  statementsMax: 400,
  /** Entries of each of the writer's caches (hashes, tag pairs) before it is emptied. */
  cacheEntriesMax: 200_000,
} as const
