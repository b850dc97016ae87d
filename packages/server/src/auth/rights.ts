/**
 * The rights of a token. One that may write names `read` too; `metrics` alone opens the server's own
 * metrics and no data; an empty list grants reading alone.
 */
export const tokenRights = ['read', 'write', 'metrics'] as const

export type TokenRight = (typeof tokenRights)[number]

/** Either right is enough to read the server's metrics. */
const metricsRights: readonly TokenRight[] = ['metrics', 'read']

/** Returns the rights of a token whose list may be empty. */
export function grantedRights(listed: readonly TokenRight[]): readonly TokenRight[] {
  return listed.length === 0 ? ['read'] : listed
}

/** Names rights as other tools know them. */
export function scopesOf(rights: readonly TokenRight[]): readonly string[] {
  const levels = rights.flatMap((right) => (right === 'metrics' ? [] : [right]))
  return ['event', 'org', 'project', 'team', 'member'].flatMap((subject) =>
    levels.map((level) => `${subject}:${level}`),
  )
}

/**
 * Reads scopes as people and other tools write them: `read`, `project:write`, `org:admin`,
 * `project:releases`, `org:ci`. Null when one is not known.
 */
export function rightsOf(scopes: readonly unknown[]): readonly TokenRight[] | null {
  const rights = new Set<TokenRight>()
  for (const scope of scopes) {
    const known = tokenRights.find((right) => right === scope)
    if (known !== undefined) rights.add(known)
    else if (typeof scope !== 'string' || !/^[a-z]+:(read|write|admin|releases|ci)$/.test(scope)) {
      return null
    } else {
      rights.add('read')
      if (!scope.endsWith(':read')) rights.add('write')
    }
  }
  return [...rights]
}

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
