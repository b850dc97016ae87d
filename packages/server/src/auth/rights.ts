/**
 * The rights of a token. One that may write names `read` too; `metrics` alone opens the server's own
 * metrics and no data; an empty list grants nothing.
 */
export const tokenRights = ['read', 'write', 'metrics'] as const

export type TokenRight = (typeof tokenRights)[number]

/** Either right is enough to read the server's metrics. */
const metricsRights: readonly TokenRight[] = ['metrics', 'read']

/** Returns the right that a request to `/api/0` needs, by its method. */
export function rightFor(method: string): TokenRight {
  return isReading(method) ? 'read' : 'write'
}

/** Says whether a request of this method changes nothing. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Says whether a token with these rights may read `/metrics`. */
export function mayReadMetrics(rights: readonly TokenRight[]): boolean {
  return rights.some((right) => metricsRights.includes(right))
}
