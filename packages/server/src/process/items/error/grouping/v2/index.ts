/**
 * The second way of grouping: as the first, but a policy that blocks what comes from the page's own host
 * is one issue for each host, since each host is another application.
 */
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { documentHost, reportGroup } from '../../../security/group.ts'
import { groupBy } from '../v1/index.ts'

/** Tells whether the second way may group an event otherwise than the first. */
export function isGroupedAnew(event: NormalizedEvent): boolean {
  return event.security !== undefined
}

/** The hashes of an event, the most specific first; all of them mean its issue. */
export function groupV2(event: NormalizedEvent): readonly string[] {
  return groupBy(event, (report) => {
    const group = reportGroup(report)
    const host = report.type === 'csp' && group[1] === 'self' ? documentHost(report) : null
    return host === null ? group : [...group, host]
  })
}
