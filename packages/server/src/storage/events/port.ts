import type { Outcome, RefusalReason } from '@afterimage/protocol/outcome'
import type { ReadableTableName, Row, StoredRow, TableName } from './tables.ts'

/**
 * The store of reported data, mostly append-only and dropped by day of receipt. It answers a closed
 * set of queries without SQL, so that a columnar engine such as ClickHouse can implement it too.
 * `process` writes; every role may read, also from other processes.
 */
export interface EventStore {
  /**
   * Writes the results of a batch of envelopes in one transaction: rows, their ids, rollups, outcomes
   * and the outbox. Durable when it resolves. Idempotent: a delivery id that was applied before
   * changes nothing, and a row whose key exists keeps its first version.
   */
  append(envelopes: readonly ProcessedEnvelope[]): Promise<void>
  /** Reads one row with its payload by the columns of the table's key; null when there is none. */
  point<N extends ReadableTableName>(
    table: N,
    projectId: number | null,
    key: readonly (string | number)[],
  ): Promise<StoredRow<N> | null>
  /** Returns a page of rows, newest first unless `order` says otherwise. */
  page<N extends ReadableTableName>(query: PageQuery<N>): Promise<Page<N>>
  /** Measures rows by time bucket and up to two groups. */
  aggregate(query: AggregateQuery): Promise<readonly AggregateRow[]>
  /** Returns the effects after a sequence number, in order, for metadata to apply. */
  outbox(afterSequence: number, max: number): Promise<readonly OutboxEntry[]>
  /** Deletes rows in bounded steps. Returns the number of rows removed. */
  remove(selector: RemoveSelector): Promise<number>
  /**
   * Returns at most `max` blobs without a row: the row was removed, or the item was refused or a
   * duplicate after its blob was written. The list is durable until `forgetBlobs`.
   */
  unnamedBlobs(max: number): Promise<readonly string[]>
  /** Takes deleted blobs off the list. */
  forgetBlobs(keys: readonly string[]): Promise<void>
  /** Does background work in bounded steps: seals payload blocks, drops old keys and applied outbox entries. */
  maintain(now: number, appliedSequence: number): Promise<void>
  close(): Promise<void>
}

export interface ProcessedEnvelope {
  /** The lease id of the queue; a delivery is applied once, even across a crash. */
  readonly deliveryId: string
  readonly projectId: number
  readonly receivedAt: number
  readonly items: readonly ProcessedItem[]
}

/** The result of one item of an envelope, as a value. The worker writes its blobs, then the store its rows. */
export interface ProcessedItem {
  /** The item's type as sent (`event`, `span`, `check_in`…), by which outcomes are counted. */
  readonly type: string
  /** Number of things inside the item: 1, or the spans, logs or metrics of a container. */
  readonly quantity: number
  /**
   * The item is accepted when the first row is new, or (containers, aggregates) any row is;
   * otherwise it is a duplicate, and its effects are not applied. With no rows and no refusal it is
   * accepted (client reports), unless it has an `identity` that was seen before.
   */
  readonly rows: readonly Row[]
  readonly blobs: readonly { readonly key: string; readonly bytes: Uint8Array }[]
  readonly effects: readonly Effect[]
  readonly refusal: ItemRefusal | null
  /**
   * The identity of an item without rows, so that a second sending is a duplicate and its discards
   * count once. It is the envelope hash and index, or the replay and segment of a recording whose
   * replay_event holds its row. Kept for 24 hours.
   */
  readonly identity?: string
  /**
   * Things inside a container that were refused while others were kept. They are counted by
   * quantity beside the item's own outcome, never as further items.
   */
  readonly refusedParts?: readonly { readonly refusal: ItemRefusal; readonly quantity: number }[]
  /** Losses reported by the SDK itself (client_report), counted as `client_discard`. */
  readonly discards?: readonly {
    readonly category: string
    readonly reason: string
    readonly quantity: number
  }[]
}

export interface ItemRefusal {
  readonly outcome: Exclude<Outcome, 'accepted' | 'duplicate'>
  readonly reason: RefusalReason
  readonly detail: string
}

/** A change that metadata must learn of an accepted item, through the outbox. */
export type Effect = IssueEffect | MonitorEffect | ReleaseEffect

export interface IssueEffect {
  readonly type: 'issue'
  /** The hash on the event's row first, then further ones of the same issue. */
  readonly hashes: readonly string[]
  /**
   * Hashes of earlier groupings: an issue that has one keeps the event; a new issue does not take
   * them.
   */
  readonly formerHashes?: readonly string[]
  readonly groupingVersion: string
  readonly eventId: string
  /** ms, corrected. */
  readonly timestamp: number
  readonly title: string
  readonly culprit: string
  readonly kind: string // error | default | csp …
  readonly metadata: {
    readonly type?: string
    readonly value?: string
    readonly filename?: string
    readonly function?: string
  }
  readonly level: string
  readonly platform: string
  readonly logger: string | null
  readonly release: string | null
  readonly environment: string | null
  readonly handled: boolean | null
}

export interface MonitorEffect {
  readonly type: 'monitor'
  readonly slug: string
  readonly status: string
  readonly environment: string
  readonly timestamp: number
  /** monitor_config as sent; null when the check-in brought none. */
  readonly config: Readonly<Record<string, unknown>> | null
}

/** A release or environment was seen; the worker sends each once per batch. */
export interface ReleaseEffect {
  readonly type: 'release'
  readonly release: string | null
  readonly environment: string | null
  readonly timestamp: number
}

export interface OutboxEntry {
  readonly sequence: number
  readonly projectId: number
  readonly receivedAt: number
  readonly effect: Effect
}

/** A column of the table, `projectId`, `timestamp`, `receivedAt`, or a tag. */
export type Field = string | { readonly tag: string }

/** Conditions are joined by "and". */
export type Condition = FieldCondition | AnyCondition

/** Is met by a row that meets all conditions of at least one list; without a list, by none. */
export interface AnyCondition {
  readonly op: 'any'
  readonly of: readonly (readonly Condition[])[]
}

/**
 * Text comparisons ignore the case of A-Z, except `is`, `isNot`, `in` and `notIn` on ids. The
 * negative ones (`isNot`, `notIn`, `notLike`, `notContains`) are also met by a missing value.
 */
export type FieldCondition =
  | { readonly field: Field; readonly op: 'is' | 'isNot'; readonly value: string | number }
  | {
      readonly field: Field
      readonly op: 'in' | 'notIn'
      readonly values: readonly (string | number)[]
    }
  /** `*` matches any text. */
  | { readonly field: Field; readonly op: 'like' | 'notLike'; readonly pattern: string }
  | { readonly field: Field; readonly op: 'contains' | 'notContains'; readonly text: string }
  | { readonly field: Field; readonly op: 'atLeast' | 'below'; readonly value: number }
  | { readonly field: Field; readonly op: 'exists' | 'missing' }

/**
 * The conditions under which a segment span counts as failed. A missing resource and a cancelled
 * request do not count. A query with exactly these conditions is answered from rollups.
 */
export const failedSpan: readonly Condition[] = [
  { field: 'status', op: 'exists' },
  {
    field: 'status',
    op: 'notIn',
    values: ['ok', 'unknown', 'cancelled', 'not_found', 'already_exists'],
  },
]

export interface TimeRange {
  /** Inclusive, ms, on `timestamp`. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export interface PageQuery<N extends ReadableTableName> {
  readonly table: N
  /** Empty means all. */
  readonly projectIds: readonly number[]
  readonly range?: TimeRange
  readonly where: readonly Condition[]
  /** Default: `timestamp`, newest first (`replays`: `startedAt`). Ties are broken by key. */
  readonly order?: { readonly field: string; readonly descending: boolean }
  /** The `next` of the page before. Stable while rows arrive. */
  readonly cursor?: string
  /** Rows to skip; only where a condition names an id, so that the rows before are few. */
  readonly offset?: number
  /** At most 1,000; `spans` 20,000. */
  readonly limit: number
  readonly withPayload?: boolean
}

export interface Page<N extends ReadableTableName> {
  readonly rows: readonly StoredRow<N>[]
  /** Absent after the last page. */
  readonly next?: string
}

export type Measure =
  | { readonly type: 'count' }
  | { readonly type: 'sum' | 'min' | 'max' | 'average' | 'distinct'; readonly field: Field }
  /** `q` is between 0 and 1; the result is within 2 % of the exact value. */
  | { readonly type: 'quantile'; readonly field: string; readonly q: number }
  /** Counts rows that also meet these conditions. */
  | { readonly type: 'countIf'; readonly where: readonly Condition[] }

export interface AggregateQuery {
  /**
   * `outcomes` is a rollup by hour of receipt with the fields projectId, type, outcome, reason,
   * items and quantity. Ranges are widened to whole hours; client discards have no items. `tags`
   * has one row per tag of an error event, with the fields projectId, groupingHash, key and value.
   * A null value stands for the rest, where a key has very many values within a grouping hash.
   */
  readonly table: ReadableTableName | 'outcomes' | 'tags'
  readonly projectIds: readonly number[]
  readonly range?: TimeRange
  readonly where: readonly Condition[]
  /** At most two. */
  readonly groupBy: readonly Field[]
  /** Whole hours are answered from rollups where the adapter has them. */
  readonly bucketMs?: number
  readonly measures: readonly Measure[]
  /** Index into `measures`; by default by bucket, then by the first measure, greatest first. */
  readonly order?: { readonly measure: number; readonly descending: boolean }
  /** Groups returned; at most 10,000. */
  readonly limit: number
}

export interface AggregateRow {
  /** Start of the bucket, ms; null without `bucketMs`. */
  readonly bucket: number | null
  readonly group: readonly (string | number | null)[]
  /**
   * In the order of the query's measures; null where there was nothing to measure (a quantile of no
   * rows).
   */
  readonly values: readonly (number | null)[]
}

export type RemoveSelector =
  | { readonly type: 'replay'; readonly projectId: number; readonly replayId: string }
  | { readonly type: 'event'; readonly projectId: number; readonly eventId: string }
  | { readonly type: 'hashes'; readonly projectId: number; readonly hashes: readonly string[] }
  | { readonly type: 'user'; readonly projectId: number; readonly userKey: string }
  | { readonly type: 'project'; readonly projectId: number }
  /** All rows of these tables received before a UTC day (ms at its midnight). */
  | { readonly type: 'before'; readonly tables: readonly TableName[]; readonly day: number }
