import { NEW_FOR_MS } from './limits.ts'

/** When an unresolved issue counts as new or as regressed: once for rows, and once as SQL on `issues i`. */

interface Aged {
  readonly substatus: string | null
  readonly first_seen: number
  readonly status_changed_at: number
}

/** Tells whether an issue began lately and nobody has reviewed it. */
export function isNew(issue: Aged, now: number): boolean {
  return issue.substatus === null && issue.first_seen > newSince(now)
}

/** Tells whether an issue came back lately. */
export function isRegressed(issue: Aged, now: number): boolean {
  return issue.substatus === 'regressed' && issue.status_changed_at > newSince(now)
}

/** As `isNew`; its one parameter is `newSince`. */
export const isNewSql = '(i.substatus is null and i.first_seen > ?)'
/** As `isRegressed`; its one parameter is `newSince`. */
export const isRegressedSql = "(i.substatus = 'regressed' and i.status_changed_at > ?)"

/** Time since which an issue that began or came back still counts as new. */
export function newSince(now: number): number {
  return now - NEW_FOR_MS
}
