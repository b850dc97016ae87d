import type { IssueRow } from './row.ts'
import type { Metadata } from '../storage/metadata/port.ts'

/** Finds an issue by its id or its short id; null when there is none. */
export async function findIssue(metadata: Metadata, idOrShortId: string): Promise<IssueRow | null> {
  const isId = /^\d{1,15}$/.test(idOrShortId)
  const [issue] = await metadata.all<IssueRow>(
    `select * from issues where ${isId ? 'id' : 'short_id'} = ?`,
    isId ? Number(idOrShortId) : idOrShortId.toUpperCase().slice(0, 100),
  )
  return issue ?? null
}
