import type { MiddlewareHandler } from 'hono'
import { isReading, rightFor } from './rights.ts'
import { verifyToken } from './tokens.ts'
import { isSameOrigin } from './same-origin.ts'
import type { ApiContext, ApiEnv, Principal } from '../api/context.ts'
import { ApiProblem } from '../api/problem.ts'

/**
 * Lets in who brings a valid `Authorization: Bearer <token>` or a session cookie. With a cookie,
 * only a page of this site may change anything.
 */
export function authenticate(api: ApiContext): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const principal = await principalOf(api, c.req.raw)
    if (principal === null) {
      c.header('www-authenticate', 'Bearer realm="api"')
      throw new ApiProblem(401, 'Authentication credentials were not provided.')
    }
    c.set('principal', principal)
    await next()
  }
}

async function principalOf(api: ApiContext, request: Request): Promise<Principal | null> {
  const authorization = request.headers.get('authorization')
  if (authorization !== null) {
    const secret = /^bearer\s+(\S{1,200})$/i.exec(authorization)?.[1]
    const token = secret === undefined ? null : await verifyToken(api.metadata, secret)
    if (token === null) throw new ApiProblem(401, 'Invalid token')
    const right = rightFor(request.method)
    if (!token.scopes.includes(right)) throw new ApiProblem(403, `This token may not ${right}.`)
    return { user: await userById(api, token.userId), via: 'token', rights: token.scopes }
  }
  const user = await api.auth.userOf(request.headers)
  if (user === null) return null
  if (!isReading(request.method) && !isSameOrigin(request)) {
    throw new ApiProblem(403, 'CSRF: a change must come from a page of this site.')
  }
  return { user, via: 'cookie', rights: ['read', 'write'] }
}

async function userById(api: ApiContext, id: string | null): Promise<Principal['user']> {
  if (id === null) return null
  const [user] = await api.metadata.all<{ id: string; name: string; email: string }>(
    'select id, name, email from users where id = ?',
    id,
  )
  return user ?? null
}
