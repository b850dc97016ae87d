/**
 * Results of SQLite that no waiting mends, by primary code: a value or row that is too large (18), a
 * broken constraint (19), a value of the wrong type (20).
 */
const codes: ReadonlySet<number> = new Set([18, 19, 20])

/**
 * Whether a store failed because of what it was given, by this error or its cause. Whatever made that
 * value is mistaken: trying again would not help.
 */
export function isRefusedValue(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isOfSqlite = 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  if (!isOfSqlite) return isRefusedValue(error.cause)
  // An extended code has its primary one in the lowest byte.
  return 'errcode' in error && typeof error.errcode === 'number' && codes.has(error.errcode & 0xff)
}
