import { randomBytes } from 'node:crypto'
import type { DBAdapter, DBTransactionAdapter } from 'better-auth/adapters'
import { hashToken } from './tokens.ts'

type Operations = DBTransactionAdapter
type Where = NonNullable<Parameters<Operations['findMany']>[0]['where']>

/**
 * Stores only the sha256 of a session's token, so that nobody who reads the database can take a
 * session over. Results have the token by which they were asked for, and the hash where they were
 * found by other fields.
 */
export function withHashedSessions(adapter: DBAdapter): DBAdapter {
  return {
    ...adapter,
    ...hashing(adapter),
    transaction: (body) => adapter.transaction((inner) => body({ ...inner, ...hashing(inner) })),
  }
}

function hashing(inner: Operations): Operations {
  const operations: Operations = {
    ...inner,
    create: async (input) => {
      const { model, data } = input
      const token: unknown = Reflect.get(data, 'token')
      if (model !== 'session' || typeof token !== 'string') return inner.create(input)
      const made: unknown = await inner.create({ ...input, data: { ...data, token: kept(token) } })
      return restored(made, new Map([[kept(token), token]])) as never
    },
    findOne: (input) => asking(input, (hashed) => inner.findOne(hashed as typeof input)) as never,
    findMany: (input) => asking(input, (hashed) => inner.findMany(hashed as typeof input)) as never,
    update: (input) => asking(input, (hashed) => inner.update(hashed as typeof input)) as never,
    updateMany: (input) => asking(input, (hashed) => inner.updateMany(hashed as typeof input)),
    delete: (input) => asking(input, (hashed) => inner.delete(hashed as typeof input)),
    deleteMany: (input) => asking(input, (hashed) => inner.deleteMany(hashed as typeof input)),
    count: (input) => asking(input, (hashed) => inner.count(hashed as typeof input)),
  }
  return operations
}

async function asking<R>(
  input: { readonly model: string; readonly where?: Where | undefined },
  ask: (input: object) => Promise<R>,
): Promise<R> {
  if (input.model !== 'session' || input.where === undefined) return ask(input)
  const asked = new Map<string, string>()
  const hashed = (value: unknown): unknown => {
    if (typeof value !== 'string') return value
    asked.set(kept(value), value)
    return kept(value)
  }
  const where = input.where.map((clause) =>
    clause.field === 'token'
      ? {
          ...clause,
          value: Array.isArray(clause.value) ? clause.value.map(hashed) : hashed(clause.value),
        }
      : clause,
  ) as Where
  const found = await ask({ ...input, where })
  return Array.isArray(found)
    ? (found.map((row: unknown) => restored(row, asked)) as R)
    : restored(found, asked)
}

/** Before a hash that was read where nobody gave its token. Nobody outside knows it, so no cookie holds it. */
const hashMark = `${randomBytes(16).toString('hex')}.`

function kept(token: string): string {
  return token.startsWith(hashMark) ? token.slice(hashMark.length) : hashToken(token)
}

function restored<R>(row: R, asked: ReadonlyMap<string, string>): R {
  if (typeof row !== 'object' || row === null || !('token' in row)) return row
  const hash = String(row.token)
  return { ...row, token: asked.get(hash) ?? `${hashMark}${hash}` }
}
