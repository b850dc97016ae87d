import type { Metadata } from '../storage/metadata/port.ts'
import type { IssueRow } from './row.ts'
import { recordActivity, reopen, saveIssue } from './row.ts'
import { BULK_ISSUES_MAX } from './limits.ts'

/**
 * Reopens the issues whose archived time is over, even when no event came. Costs little when there
 * are none. Returns how many were reopened.
 */
export async function expireArchives(metadata: Metadata, now: number): Promise<number> {
  const due = 'archived_until is not null and archived_until <= ?'
  const [any] = await metadata.all(`select 1 from issues where ${due} limit 1`, now)
  if (any === undefined) return 0
  return metadata.transaction(async (tx) => {
    const rows = await tx.all<IssueRow>(
      `select * from issues where ${due} limit ${BULK_ISSUES_MAX}`,
      now,
    )
    for (const row of rows) {
      const issue = { ...row }
      const endedAt = issue.archived_until ?? now
      reopen(issue, 'ongoing', endedAt)
      await saveIssue(tx, issue)
      await recordActivity(tx, {
        issueId: issue.id,
        type: 'set_unresolved',
        userId: null,
        at: endedAt,
        data: { reason: 'time_over' },
      })
    }
    return rows.length
  })
}
