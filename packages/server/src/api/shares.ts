import { randomBytes } from 'node:crypto'
import type { ApiShare } from '@afterimage/protocol/api/organization'
import { recordActivity } from '../issues/issue-row.ts'
import { iso } from './answer.ts'
import { type ApiContext, nowOf } from './context.ts'

/** What a share link shows. */
export type ShareTarget =
  | { readonly kind: 'issue'; readonly projectId: number; readonly issueId: number }
  | { readonly kind: 'replay'; readonly projectId: number; readonly replayId: string }

interface ShareRow {
  readonly token: string
  readonly kind: 'issue' | 'replay'
  readonly project_id: number
  readonly issue_id: number | null
  readonly replay_id: string | null
  readonly created_at: number
}

/** The link that is in force; null when there is none. */
export async function shareOf(api: ApiContext, target: ShareTarget): Promise<ApiShare | null> {
  const [row] = await api.metadata.all<ShareRow>(
    `select * from shares where ${ofTarget} and revoked_at is null order by id desc limit 1`,
    ...parametersOf(target),
  )
  return row === undefined ? null : shareAnswer(api, row)
}

/** Makes a link, or answers the one that is in force. */
export async function createShare(
  api: ApiContext,
  target: ShareTarget,
  userId: string | null,
): Promise<ApiShare> {
  return api.metadata.transaction(async (tx) => {
    const [known] = await tx.all<ShareRow>(
      `select * from shares where ${ofTarget} and revoked_at is null order by id desc limit 1`,
      ...parametersOf(target),
    )
    if (known !== undefined) return shareAnswer(api, known)
    const [made] = await tx.all<ShareRow>(
      `insert into shares (token, kind, project_id, issue_id, replay_id, created_by, created_at)
       values (?, ?, ?, ?, ?, ?, ?) returning *`,
      randomBytes(16).toString('hex'),
      ...parametersOf(target),
      userId,
      nowOf(api),
    )
    if (made === undefined) throw new Error('an insert that returns nothing')
    if (target.kind === 'issue') {
      const { issueId } = target
      await recordActivity(tx, { issueId, type: 'shared', userId, at: nowOf(api) })
    }
    return shareAnswer(api, made)
  })
}

/** Ends every link to it. Returns whether there was one. */
export async function revokeShare(
  api: ApiContext,
  target: ShareTarget,
  userId: string | null,
): Promise<boolean> {
  return api.metadata.transaction(async (tx) => {
    const revoked = await tx.all(
      `update shares set revoked_at = ? where ${ofTarget} and revoked_at is null returning id`,
      nowOf(api),
      ...parametersOf(target),
    )
    if (revoked.length > 0 && target.kind === 'issue') {
      const { issueId } = target
      await recordActivity(tx, { issueId, type: 'unshared', userId, at: nowOf(api) })
    }
    return revoked.length > 0
  })
}

/** What a link's token shows; null for one that is unknown or revoked. */
export async function shareByToken(
  api: ApiContext,
  kind: 'issue' | 'replay',
  token: string,
): Promise<ShareTarget | null> {
  if (!/^[0-9a-f]{32}$/.test(token)) return null
  const [row] = await api.metadata.all<ShareRow>(
    'select * from shares where token = ? and kind = ? and revoked_at is null',
    token,
    kind,
  )
  if (row === undefined) return null
  if (row.issue_id !== null) {
    return { kind: 'issue', projectId: row.project_id, issueId: row.issue_id }
  }
  return { kind: 'replay', projectId: row.project_id, replayId: row.replay_id ?? '' }
}

const ofTarget =
  'kind = ? and project_id = ? and issue_id is not distinct from ? and replay_id is not distinct from ?'

function parametersOf(
  target: ShareTarget,
): readonly [string, number, number | null, string | null] {
  return target.kind === 'issue'
    ? ['issue', target.projectId, target.issueId, null]
    : ['replay', target.projectId, null, target.replayId]
}

function shareAnswer(api: ApiContext, row: ShareRow): ApiShare {
  return {
    id: row.token,
    url: `${api.config.baseUrl}/share/${row.kind}/${row.token}`,
    dateCreated: iso(row.created_at),
  }
}
