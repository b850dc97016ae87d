import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { readTokens } from '../search/tokens.ts'
import type { Member } from './assign-menu.tsx'
import type { Change } from './use-issue-changes.ts'

/** The views whose rows leave when an issue is resolved or archived. */
const OPEN_STATES = new Set([
  'unresolved',
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'for_review',
])

/** Tells whether an issue leaves the query's results when it takes on `status`. */
export function leavesView(query: string, status: ApiIssue['status']): boolean {
  const asked = readTokens(query).flatMap((token) =>
    token.type === 'filter' && token.key === 'is' && !token.isNegated ? [token.value] : [],
  )
  return asked.some((state) => {
    if (OPEN_STATES.has(state)) return status !== 'unresolved'
    if (state === 'resolved') return status !== 'resolved'
    return state === 'archived' || state === 'ignored' ? status !== 'ignored' : false
  })
}

export function resolveChange(issues: readonly ApiIssue[], query: string): Change {
  return {
    issues,
    update: { status: 'resolved' },
    shown: leavesView(query, 'resolved') ? 'gone' : { status: 'resolved', substatus: null },
    said: `${named(issues)} resolved`,
  }
}

export function reopenChange(issues: readonly ApiIssue[], query: string): Change {
  return {
    issues,
    update: { status: 'unresolved' },
    shown: leavesView(query, 'unresolved')
      ? 'gone'
      : { status: 'unresolved', substatus: 'ongoing' },
    said: `${named(issues)} opened again`,
  }
}

/** Archives until it escalates: it comes back by itself when there is more of it. */
export function archiveChange(issues: readonly ApiIssue[], query: string): Change {
  return {
    issues,
    update: { status: 'ignored', substatus: 'archived_until_escalating' },
    shown: leavesView(query, 'ignored')
      ? 'gone'
      : { status: 'ignored', substatus: 'archived_until_escalating' },
    said: `${named(issues)} archived until ${issues.length === 1 ? 'it escalates' : 'they escalate'}`,
  }
}

export function assignChange(issues: readonly ApiIssue[], member: Member | null): Change {
  return {
    issues,
    update: { assignedTo: member === null ? null : `user:${member.id}` },
    shown: { assignedTo: member === null ? null : { type: 'user', ...member } },
    said:
      member === null
        ? `${named(issues)} assigned to nobody`
        : `${named(issues)} assigned to ${member.name}`,
  }
}

function named(issues: readonly ApiIssue[]): string {
  return issues.length === 1 ? (issues[0]?.shortId ?? '') : `${issues.length} issues`
}
