import { grantedRights, rightsOf, type TokenRight } from './rights.ts'
import { createToken, endToken, type ListedToken, listTokens } from './tokens.ts'
import { iso } from '../api/answer.ts'
import { type Body, readBody, requiredText } from '../api/body.ts'
import type { ApiRequest, Routes } from '../api/context.ts'
import { ApiProblem, badRequest, notFound } from '../api/problem.ts'

/** Scopes that are read of one request; other tools name about thirty. */
const SCOPES_MAX = 100

/** API tokens: listed without their secrets, made with the secret shown once, ended. */
export const tokenRoutes: Routes = (app, api) => {
  app.get('/api-tokens/', async (c) => {
    const rows = await listTokens(api.metadata)
    return c.json(rows.map(serializeToken))
  })

  app.post('/api-tokens/', async (c) => {
    const userId = requirePerson(c)
    const body = await readBody(c)
    const name = requiredText(body, 'name', 200)
    const scopes = scopesField(body)
    const token = await createToken(api.metadata, {
      name,
      userId,
      ...(scopes === undefined ? {} : { scopes }),
    })
    const row = (await listTokens(api.metadata))[0]
    return c.json({ ...(row === undefined ? {} : serializeToken(row)), token }, 201)
  })

  app.delete('/api-tokens/:token/', async (c) => {
    requirePerson(c)
    const id = Number(/^\d{1,15}$/.exec(c.req.param('token'))?.[0] ?? -1)
    if (!(await endToken(api.metadata, id))) throw notFound()
    return c.body(null, 204)
  })
}

function scopesField(body: Body): readonly TokenRight[] | undefined {
  const listed = body['scopes']
  if (listed === undefined) return undefined
  const scopes = Array.isArray(listed) ? rightsOf(listed.slice(0, SCOPES_MAX)) : null
  if (scopes === null) {
    throw badRequest('scopes: must be a list of read, write or metrics, or of the like of org:read')
  }
  return scopes
}

/* A stolen token must not be able to make itself a successor. */
function requirePerson(c: ApiRequest): string {
  const { user, via } = c.get('principal')
  if (via !== 'cookie' || user === null) {
    throw new ApiProblem(403, 'Tokens are made and ended by a person who is signed in.')
  }
  return user.id
}

function serializeToken(row: ListedToken) {
  return {
    id: String(row.id),
    name: row.name,
    dateCreated: iso(row.created_at),
    scopes: grantedRights(JSON.parse(row.scopes) as TokenRight[]),
    lastUsedAt: row.last_used_at === null ? null : iso(row.last_used_at),
  }
}
