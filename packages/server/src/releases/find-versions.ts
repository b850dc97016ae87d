import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

/** Versions that hold the text, the newest first, with the time of their last event. */
export async function findVersions(
  metadata: Metadata,
  question: {
    readonly projectIds: readonly number[]
    readonly like: string
    readonly limit: number
  },
): Promise<readonly { readonly version: string; readonly lastSeen: number | null }[]> {
  return metadata.all(
    `select version, max(last_seen) as "lastSeen" from releases
     where project_id in (${placeholders(question.projectIds)}) and instr(lower(version), ?) > 0
     group by version order by max(coalesce(first_seen, created_at)) desc limit ?`,
    ...question.projectIds,
    question.like.toLowerCase(),
    question.limit,
  )
}
