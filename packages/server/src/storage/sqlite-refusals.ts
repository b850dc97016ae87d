/**
 * Results of SQLite that a retry cannot mend, by primary code: a value or row that is too large (18), a
 * broken constraint (19), a value of the wrong type (20).
 */
const codes: ReadonlySet<number> = new Set([18, 19, 20])

/** Tells whether SQLite failed because of what it was given, rather than its environment. */
export function isRefusedBySqlite(error: unknown): boolean {
  const isOfSqlite = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  if (!isOfSqlite) return false
  // An extended code has its primary one in the lowest byte.
  return 'errcode' in error && typeof error.errcode === 'number' && codes.has(error.errcode & 0xff)
}
