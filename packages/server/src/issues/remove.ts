import { requestRemoval } from '../retention/removals.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

/**
 * Deletes issues, with their history, and asks for their events to go. An event of the same kind
 * that comes later makes a new issue. Returns how many there were.
 */
export async function removeIssues(
  metadata: Metadata,
  issueIds: readonly number[],
  now: number,
): Promise<number> {
  return metadata.transaction(async (tx) => {
    const ids = placeholders(issueIds)
    const hashes = await tx.all<{ project_id: number; hash: string }>(
      `select project_id, hash from issue_hashes where issue_id in (${ids})`,
      ...issueIds,
    )
    const removed = await tx.all(
      `delete from issues where id in (${ids}) returning id`,
      ...issueIds,
    )
    for (const [projectId, rows] of Map.groupBy(hashes, (row) => row.project_id)) {
      const selector = { type: 'hashes', projectId, hashes: rows.map((row) => row.hash) } as const
      await requestRemoval(tx, selector, now)
    }
    return removed.length
  })
}
