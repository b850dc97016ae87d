import type { IssueEffect } from '../storage/events/port.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import type { IssueRow } from './row.ts'
import { shortIdOf } from './short-id.ts'

/**
 * Makes an issue from its first event, under the project's next number. A number is passed over
 * when its short id is taken, which happens when a project got a slug another one had before.
 */
export async function createIssue(
  tx: MetadataReader,
  project: { readonly id: number; readonly slug: string },
  effect: IssueEffect,
): Promise<IssueRow> {
  const at = Math.round(effect.timestamp)
  for (;;) {
    const [counter] = await tx.all<{ number: number }>(
      `update projects set last_issue_number = last_issue_number + 1 where id = ?
       returning last_issue_number as number`,
      project.id,
    )
    const [issue] = await tx.all<IssueRow>(
      `insert into issues (project_id, short_id, title, culprit, kind, metadata, level, platform,
         logger, is_unhandled, grouping_version, first_seen, last_seen, newest_event_id,
         status_changed_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
       on conflict (short_id) do nothing
       returning *`,
      project.id,
      shortIdOf(project.slug, counter?.number ?? 1),
      effect.title,
      effect.culprit,
      effect.kind,
      JSON.stringify(effect.metadata),
      effect.level,
      effect.platform,
      effect.logger,
      effect.handled === false ? 1 : 0,
      effect.groupingVersion,
      at,
      at,
      effect.eventId,
    )
    if (issue !== undefined) return { ...issue }
  }
}
