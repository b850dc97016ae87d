/**
 * Relational, transactional data: users, projects, keys, issues, monitors, shares.
 * Plain SQL in the common subset of SQLite and PostgreSQL; parameters are `?` and always bound.
 * Times are integers (ms since the epoch), booleans are 0 and 1, JSON is text.
 */
export interface Metadata extends MetadataReader {
  /**
   * Runs `body` in one transaction (`begin immediate`), serialised on this connection; commits when
   * it resolves, rolls back when it rejects. Use only the reader passed to it.
   */
  transaction<T>(body: (tx: MetadataReader) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface MetadataReader {
  /**
   * Runs one statement and returns its rows: those selected, or those of `returning`.
   * @throws RefusedValue when the values themselves cannot be taken, such as a broken constraint
   */
  all<Row = Record<string, SqlValue>>(
    sql: string,
    ...parameters: readonly SqlValue[]
  ): Promise<Row[]>
}

export type SqlValue = string | number | null | Uint8Array
