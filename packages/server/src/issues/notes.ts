import type { Metadata } from '../storage/metadata/port.ts'

/** Writes a comment and returns its id. `userId` is null when a token of no person writes. */
export async function writeNote(
  metadata: Metadata,
  note: {
    readonly issueId: number
    readonly userId: string | null
    readonly text: string
    readonly at: number
  },
): Promise<number> {
  const [row] = await metadata.all<{ id: number }>(
    `insert into issue_comments (issue_id, user_id, text, created_at) values (?, ?, ?, ?)
     returning id`,
    note.issueId,
    note.userId,
    note.text,
    note.at,
  )
  return row?.id ?? 0
}

/** Deletes a comment that this person wrote, or that has no author. Returns false when there is none. */
export async function deleteNote(
  metadata: Metadata,
  note: { readonly id: number; readonly issueId: number; readonly userId: string | null },
): Promise<boolean> {
  const removed = await metadata.all(
    `delete from issue_comments where id = ? and issue_id = ?
     and (user_id is null or user_id = ?) returning id`,
    note.id,
    note.issueId,
    note.userId ?? '',
  )
  return removed.length > 0
}
