/**
 * The tables of the event store, one row type each. Columns are typed so that every adapter (SQLite
 * rows, columnar segments, ClickHouse) can lay them out as it likes.
 *
 * Every table also has, without naming them below:
 * - `projectId`
 * - `receivedAt`  ms, stamped by ingest; the partition is its UTC day
 * - `timestamp`   ms (may have a fraction), the time that people see: client time after drift
 *   correction
 * - `payload`     optional JSON bytes, read only by `point` and by `page` when asked for
 * and those with `tags: true` a map of strings.
 *
 * `key` names the columns that, with the project, identify a row: the first one written wins.
 */
export type ColumnType = 'id' | 'label' | 'text' | 'integer' | 'float' | 'time'

interface TableDefinition {
  readonly key: readonly string[]
  readonly tags: boolean
  /** Every column outside the key may be null. */
  readonly columns: Readonly<Record<string, ColumnType>>
}

export const tables = {
  /** Error, message and security-report events. Payload: the normalised event. */
  errors: {
    key: ['eventId'],
    tags: true,
    columns: {
      eventId: 'id',
      type: 'label', // error | default | csp | hpkp | expectct | expectstaple
      groupingHash: 'id',
      level: 'label',
      title: 'text',
      culprit: 'text',
      message: 'text', // searched as free text: title, culprit, url, exception values
      platform: 'label',
      release: 'label',
      environment: 'label',
      dist: 'label',
      transaction: 'label',
      url: 'text',
      handled: 'integer', // 0 unhandled, 1 handled, null unknown
      userKey: 'label', // the identity by which people are counted: `id:7`, `email:…`, `username:…`, `ip:…`
      userLabel: 'text', // the person's name in the console
      traceId: 'id',
      spanId: 'id',
      replayId: 'id',
      sdk: 'label', // name/version
      browser: 'label', // name and major version
      os: 'label',
      clientTimestamp: 'time', // before drift correction
      username: 'text', // of the user, as the application set it
    },
  },
  /** Transaction events (SDK 7-10, static 11, other languages). Payload: the normalised event without its spans. */
  transactions: {
    key: ['eventId'],
    tags: true,
    columns: {
      eventId: 'id',
      name: 'label',
      op: 'label',
      source: 'label',
      status: 'label',
      durationMs: 'float',
      traceId: 'id',
      spanId: 'id',
      release: 'label',
      environment: 'label',
      platform: 'label',
      userKey: 'label',
      userLabel: 'text',
      url: 'text',
      replayId: 'id',
      sdk: 'label',
      browser: 'label',
      os: 'label',
      clientTimestamp: 'time',
    },
  },
  /** Every span of every trace, whatever format it came in. `timestamp` is its start. Payload: its attributes. */
  spans: {
    key: ['traceId', 'spanId'],
    tags: false,
    columns: {
      traceId: 'id',
      spanId: 'id',
      parentSpanId: 'id',
      segmentId: 'id', // span id of the segment (transaction, page load, request) it belongs to
      isSegment: 'integer', // 0 or 1
      name: 'text', // description: `GET /api/x`, `select …`
      op: 'label',
      origin: 'label',
      status: 'label', // gRPC names; `ok`, `unknown`, `internal_error`…
      durationMs: 'float',
      selfTimeMs: 'float',
      segmentName: 'label', // the page or the route, by which lists group
      segmentSource: 'label', // url | route | view | component | task | custom
      service: 'label', // the program: `browser`, `node`, `python`…, or the server's own service name
      release: 'label',
      environment: 'label',
      platform: 'label',
      userKey: 'label',
      replayId: 'id',
      eventId: 'id', // of its transaction event; null for streamed spans
      sdk: 'label',
      browser: 'label',
      clientTimestamp: 'time',
    },
  },
  /** One web vital of one page load. `traceId` + `segmentId` name the page load. */
  vitals: {
    key: ['traceId', 'segmentId', 'name'],
    tags: false,
    columns: {
      traceId: 'id',
      segmentId: 'id',
      name: 'label', // lcp cls inp fcp fp ttfb fid
      value: 'float', // ms; cls is a ratio
      element: 'text', // the selector that caused it, when known
      segmentName: 'label', // null until the page load's span is stored: the adapter takes its name
      release: 'label',
      environment: 'label',
      browser: 'label',
    },
  },
  /**
   * One segment of a replay. Payload: the replay_event. The adapter derives the table `replays`
   * from these.
   */
  replaySegments: {
    key: ['replayId', 'segmentId'],
    tags: true,
    columns: {
      replayId: 'id',
      segmentId: 'integer',
      replayType: 'label', // session | buffer
      startedAt: 'time', // replay_start_timestamp; null when the segment gives none
      firstEventAt: 'time', // client ms, from the recording; null when it holds no event
      lastEventAt: 'time',
      blobKey: 'label', // the recording: JSON array of rrweb events, zlib
      recordingBytes: 'integer',
      eventCount: 'integer',
      urls: 'text', // JSON array of strings, in order of visit
      errorIds: 'text', // JSON array
      traceIds: 'text', // JSON array
      clicks: 'integer',
      deadClicks: 'integer',
      rageClicks: 'integer',
      warnings: 'integer',
      infos: 'integer',
      release: 'label',
      environment: 'label',
      platform: 'label',
      userKey: 'label',
      userLabel: 'text',
      browser: 'label',
      os: 'label',
      device: 'label',
      sdk: 'label',
      clientTimestamp: 'time',
      username: 'text', // of the user, as the application set it
    },
  },
  /** A release-health session: one row per update of a single session, or per aggregate bucket. */
  sessions: {
    key: ['key'],
    tags: false,
    columns: {
      key: 'id', // sid + (seq or timestamp); for aggregates envelope hash + item + bucket
      sid: 'id', // null for aggregates
      did: 'label',
      status: 'label', // ok exited crashed abnormal unhandled; null for aggregates
      seq: 'integer',
      isInit: 'integer',
      startedAt: 'time',
      durationS: 'float',
      errors: 'integer',
      exited: 'integer', // the four counts are for aggregates; null otherwise
      errored: 'integer',
      abnormal: 'integer',
      crashed: 'integer',
      release: 'label',
      environment: 'label',
    },
  },
  checkIns: {
    key: ['checkInId', 'status'],
    tags: false,
    columns: {
      checkInId: 'id',
      monitorSlug: 'label',
      status: 'label', // in_progress ok error
      durationS: 'float',
      release: 'label',
      environment: 'label',
      traceId: 'id',
    },
  },
  /** User feedback in all its forms. Payload: the normalised event, or the report. */
  feedback: {
    key: ['eventId'],
    tags: true,
    columns: {
      eventId: 'id', // its own id; of a user_report `sha256(event id + comments)` cut to 32
      message: 'text',
      name: 'text',
      email: 'text',
      url: 'text',
      source: 'label', // widget, user_report, …
      associatedEventId: 'id',
      replayId: 'id',
      traceId: 'id',
      release: 'label',
      environment: 'label',
      userKey: 'label',
      userLabel: 'text',
    },
  },
  /** Payload: its attributes. */
  logs: {
    key: ['key'],
    tags: false,
    columns: {
      key: 'id', // envelope hash + item + index
      traceId: 'id',
      spanId: 'id',
      level: 'label',
      severity: 'integer',
      body: 'text',
      sequence: 'integer', // tie-breaker between equal timestamps
      release: 'label',
      environment: 'label',
      replayId: 'id',
      userKey: 'label',
      service: 'label',
    },
  },
  /** Payload: its attributes. */
  metrics: {
    key: ['key'],
    tags: false,
    columns: {
      key: 'id',
      name: 'label',
      type: 'label', // counter gauge distribution
      value: 'float',
      unit: 'label',
      traceId: 'id',
      spanId: 'id',
      release: 'label',
      environment: 'label',
    },
  },
  attachments: {
    key: ['eventId', 'name', 'sha256'],
    tags: false,
    columns: {
      eventId: 'id',
      name: 'text',
      sha256: 'id',
      type: 'label', // event.attachment, event.view_hierarchy, …
      contentType: 'label',
      bytes: 'integer',
      blobKey: 'label',
      sha1: 'id', // null on rows of before it was kept
    },
  },
} as const satisfies Record<string, TableDefinition>

export type TableName = keyof typeof tables

/** Kept by the adapter from `replaySegments`, one row per replay; read-only for all others. */
export const derivedTables = {
  replays: {
    key: ['replayId'],
    tags: false,
    columns: {
      replayId: 'id',
      replayType: 'label', // of the lowest segment
      startedAt: 'time', // the least startedAt or firstEventAt, corrected as its lowest segment is
      finishedAt: 'time', // startedAt and durationMs
      durationMs: 'float', // by the client's clock, to the greatest clientTimestamp or lastEventAt
      segmentCount: 'integer',
      recordingBytes: 'integer',
      errorCount: 'integer', // error events that name this replay, counted by their rows and errorIds, each id once
      warningCount: 'integer',
      infoCount: 'integer',
      urlCount: 'integer',
      clicks: 'integer',
      deadClicks: 'integer',
      rageClicks: 'integer',
      activity: 'integer', // 1..10
      urls: 'text', // JSON array in segment order, at most 100
      errorIds: 'text', // JSON array, at most 100
      traceIds: 'text', // JSON array, at most 100
      release: 'label', // of the first segment that has one, as are those below
      environment: 'label',
      platform: 'label',
      userKey: 'label',
      userLabel: 'text',
      browser: 'label',
      os: 'label',
      device: 'label',
      sdk: 'label',
      username: 'text',
    },
  },
} as const satisfies Record<string, TableDefinition>

export type ReadableTableName = TableName | keyof typeof derivedTables

type ValueOf<T extends ColumnType> = T extends 'id' | 'label' | 'text' ? string : number

type ColumnsOf<N extends ReadableTableName> = N extends TableName
  ? (typeof tables)[N]['columns']
  : N extends keyof typeof derivedTables
    ? (typeof derivedTables)[N]['columns']
    : never

/** The typed columns of a table's row, as written and as read. */
export type Columns<N extends ReadableTableName> = {
  readonly [C in keyof ColumnsOf<N>]: ColumnsOf<N>[C] extends ColumnType
    ? ValueOf<ColumnsOf<N>[C]> | null
    : never
}

interface RowFrame {
  readonly timestamp: number
  readonly tags?: Readonly<Record<string, string>>
  /** JSON text, kept compressed. */
  readonly payload?: string
}

/** A row to be written. Its project and time of receipt are those of its envelope. */
export type Row = {
  [N in TableName]: RowFrame & { readonly table: N; readonly columns: Columns<N> }
}[TableName]

/** A row that was read. `payload` is null unless it was asked for and exists. */
export interface StoredRow<N extends ReadableTableName = ReadableTableName> {
  readonly projectId: number
  readonly receivedAt: number
  readonly timestamp: number
  readonly columns: Columns<N>
  readonly tags: Readonly<Record<string, string>>
  readonly payload: string | null
}
