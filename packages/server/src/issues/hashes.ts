import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import { CONDITION_VALUES_MAX } from '../search/limits.ts'

export interface IssueHash {
  readonly issueId: number
  readonly projectId: number
  readonly hash: string
}

/** The grouping hashes of some issues. */
export async function hashesOfIssues(
  metadata: Metadata,
  issueIds: readonly number[],
): Promise<readonly IssueHash[]> {
  const rows: IssueHash[] = []
  for (let from = 0; from < issueIds.length; from += CONDITION_VALUES_MAX) {
    const part = issueIds.slice(from, from + CONDITION_VALUES_MAX)
    rows.push(
      ...(await metadata.all<IssueHash>(
        `select issue_id as "issueId", project_id as "projectId", hash
         from issue_hashes where issue_id in (${placeholders(part)})`,
        ...part,
      )),
    )
  }
  return rows
}

/** Returns the issue of each of these hashes of a project. Unknown ones are left out. */
export async function issuesOfHashes(
  metadata: Metadata,
  projectId: number,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const issues = new Map<string, number>()
  for (let from = 0; from < hashes.length; from += CONDITION_VALUES_MAX) {
    const part = hashes.slice(from, from + CONDITION_VALUES_MAX)
    const rows = await metadata.all<{ hash: string; issue_id: number }>(
      `select hash, issue_id from issue_hashes
       where project_id = ? and hash in (${placeholders(part)})`,
      projectId,
      ...part,
    )
    for (const row of rows) issues.set(row.hash, row.issue_id)
  }
  return issues
}
