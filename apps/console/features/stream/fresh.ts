import type { ApiIssue } from '@afterimage/protocol/api/issue'

export interface Freshness {
  readonly events: number
  readonly issues: number
}

/**
 * Counts the arrivals since a list was drawn: events in issues that moved, and issues new to it.
 * `drawnAt` is ms; an issue that only slid up from the next page is not news.
 */
export function freshness(
  drawn: readonly ApiIssue[],
  latest: readonly ApiIssue[],
  drawnAt: number,
): Freshness {
  const before = new Map(drawn.map((issue) => [issue.id, Number(issue.count)]))
  let events = 0
  let issues = 0
  for (const issue of latest) {
    const counted = before.get(issue.id)
    const more =
      counted === undefined
        ? eventsOfUnseen(issue, drawnAt)
        : Math.max(0, Number(issue.count) - counted)
    if (more === 0) continue
    events += more
    issues += 1
  }
  return { events, issues }
}

/* Counts all events of an issue that began after the list was drawn; at least the last one of an older issue. */
function eventsOfUnseen(issue: ApiIssue, drawnAt: number): number {
  if (Date.parse(issue.lastSeen) <= drawnAt) return 0
  return Date.parse(issue.firstSeen) > drawnAt ? Number(issue.count) : 1
}
