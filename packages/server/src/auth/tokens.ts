import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { grantedRights, type TokenRight } from './rights.ts'

/** `last_used_at` is written at most this often, so that a busy token does not mean a busy disk. */
const LAST_USED_EVERY_MS = 60_000

const TOKENS_MAX = 1000

const defaultRights: readonly TokenRight[] = ['read', 'write']

export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly scopes: readonly TokenRight[]
  /** The user who made it; null for one made on the command line. */
  readonly userId: string | null
}

/**
 * Makes a token for the API and returns it, this once: only its sha256 is kept.
 * @throws INPUT_INVALID when the name is empty or too long, or there are too many
 */
export async function createToken(
  metadata: Metadata,
  token: {
    readonly name: string
    /** `read` and `write` when not given. */
    readonly scopes?: readonly TokenRight[]
    readonly userId?: string | null
  },
): Promise<string> {
  const name = token.name.trim()
  if (name === '' || name.length > 200) {
    throw new AppError('INPUT_INVALID', 'name: must have 1 to 200 characters')
  }
  const secret = `ait_${randomBytes(32).toString('hex')}`
  await metadata.transaction(async (tx) => {
    const [count] = await tx.all<{ n: number }>('select count(*) as n from api_tokens')
    if ((count?.n ?? 0) >= TOKENS_MAX) {
      throw new AppError('INPUT_INVALID', `there are ${TOKENS_MAX} tokens already; end one first`)
    }
    await tx.all(
      `insert into api_tokens (token_hash, name, scopes, user_id, created_at)
       values (?, ?, ?, ?, ?)`,
      hashToken(secret),
      name,
      JSON.stringify(token.scopes ?? defaultRights),
      token.userId ?? null,
      Date.now(),
    )
  })
  return secret
}

/** Returns the token with this secret, or null when it is unknown. */
export async function verifyToken(metadata: Metadata, secret: string): Promise<ApiToken | null> {
  if (!/^ait_[0-9a-f]{64}$/.test(secret)) return null
  const [row] = await metadata.all<{
    id: number
    name: string
    scopes: string
    user_id: string | null
    last_used_at: number | null
  }>(
    'select id, name, scopes, user_id, last_used_at from api_tokens where token_hash = ?',
    hashToken(secret),
  )
  if (row === undefined) return null
  const now = Date.now()
  if (now - (row.last_used_at ?? 0) >= LAST_USED_EVERY_MS) {
    await metadata.all('update api_tokens set last_used_at = ? where id = ?', now, row.id)
  }
  return {
    id: row.id,
    name: row.name,
    scopes: grantedRights(JSON.parse(row.scopes) as TokenRight[]),
    userId: row.user_id,
  }
}

/** A token as lists show it: without its secret. */
export interface ListedToken {
  readonly id: number
  readonly name: string
  readonly created_at: number
  readonly last_used_at: number | null
  /** JSON list of rights. */
  readonly scopes: string
}

/** Every token, the newest first. */
export async function listTokens(metadata: Metadata): Promise<readonly ListedToken[]> {
  return metadata.all<ListedToken>(
    'select id, name, created_at, last_used_at, scopes from api_tokens order by id desc',
  )
}

/** Revokes a token at once. Returns false when no token has this id. */
export async function endToken(metadata: Metadata, id: number): Promise<boolean> {
  const ended = await metadata.all('delete from api_tokens where id = ? returning id', id)
  return ended.length > 0
}

/** Returns the stored form of a secret: its sha256 in hex. */
export function hashToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
