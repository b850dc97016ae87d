import { createHmac, randomBytes } from 'node:crypto'
import type { ApiShare } from '@afterimage/protocol/api/organization'
import { isShareToken } from '@afterimage/protocol/share-token'
import { recordActivity } from '../issues/row.ts'
import { iso } from '../api/answer.ts'
import { hashToken } from '../auth/tokens.ts'
import { type ApiContext, nowOf } from '../api/context.ts'

/** The target of a share link. */
export type ShareTarget =
  | { readonly kind: 'issue'; readonly projectId: number; readonly issueId: number }
  | { readonly kind: 'replay'; readonly projectId: number; readonly replayId: string }

interface ShareRow {
  /** Null for a link made before seeds were: it works, and cannot be shown again. */
  readonly seed: string | null
  readonly kind: 'issue' | 'replay'
  readonly project_id: number
  readonly issue_id: number | null
  readonly replay_id: string | null
  readonly created_at: number
}

/** Returns the active link that can be shown, or null. */
export async function shareOf(api: ApiContext, target: ShareTarget): Promise<ApiShare | null> {
  const [row] = await api.metadata.all<ShareRow>(shownShare, ...parametersOf(target))
  return row === undefined ? null : shareAnswer(api, row)
}

/** Makes a link, or answers the one that is in force. */
export async function createShare(
  api: ApiContext,
  target: ShareTarget,
  userId: string | null,
): Promise<ApiShare> {
  return api.metadata.transaction(async (tx) => {
    const [known] = await tx.all<ShareRow>(shownShare, ...parametersOf(target))
    if (known !== undefined) return shareAnswer(api, known)
    const seed = randomBytes(16).toString('hex')
    const [made] = await tx.all<ShareRow>(
      `insert into shares
         (token_hash, seed, kind, project_id, issue_id, replay_id, created_by, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?) returning *`,
      hashToken(tokenOf(api, seed)),
      seed,
      ...parametersOf(target),
      userId,
      nowOf(api),
    )
    if (made === undefined) throw new Error('the insert returned no row')
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

/** Returns the target of a link's token; null for an unknown or revoked token. */
export async function shareByToken(
  api: ApiContext,
  kind: 'issue' | 'replay',
  token: string,
): Promise<ShareTarget | null> {
  if (!isShareToken(token)) return null
  const [row] = await api.metadata.all<ShareRow>(
    'select * from shares where token_hash = ? and kind = ? and revoked_at is null',
    hashToken(token),
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

const shownShare = `select * from shares
  where ${ofTarget} and revoked_at is null and seed is not null order by id desc limit 1`

/** Makes a link's token from its seed. The store has the seed alone, so that who reads it has no link. */
function tokenOf(api: ApiContext, seed: string): string {
  return createHmac('sha256', api.secretKey).update(`share ${seed}`).digest('hex').slice(0, 32)
}

function parametersOf(
  target: ShareTarget,
): readonly [string, number, number | null, string | null] {
  return target.kind === 'issue'
    ? ['issue', target.projectId, target.issueId, null]
    : ['replay', target.projectId, null, target.replayId]
}

function shareAnswer(api: ApiContext, row: ShareRow): ApiShare {
  const token = tokenOf(api, row.seed ?? '')
  return {
    id: token,
    url: `${api.config.baseUrl}/share/${row.kind}/${token}`,
    dateCreated: iso(row.created_at),
  }
}
