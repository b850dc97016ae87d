import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApiContext, ApiEnv, Principal } from '../api/context.ts'
import type { ApiProblem } from '../api/problem.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { authenticate } from './authenticate.ts'
import type { TokenRight } from './rights.ts'
import { createToken } from './tokens.ts'

const ada = { id: 'u1', name: 'Ada', email: 'ada@x.test' }

let metadata: SqliteMetadata
let app: Hono<ApiEnv>
let principal: Principal | null

beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
  principal = null
  const auth = {
    userOf: async (headers: Headers) => (headers.get('cookie') === 'ada' ? ada : null),
  }
  app = new Hono<ApiEnv>()
  app.onError((problem, c) => c.text(problem.message, (problem as ApiProblem).status))
  app.use(authenticate({ metadata, auth } as unknown as ApiContext))
  app.all('/', (c) => {
    principal = c.get('principal')
    return c.text('in')
  })
})
afterEach(() => metadata.close())

function ask(headers: Record<string, string>, method = 'GET'): Promise<Response> {
  return Promise.resolve(app.request('http://a.test/', { method, headers }))
}

async function bearer(scopes: readonly TokenRight[], userId?: string) {
  const token = await createToken(metadata, { name: 'x', scopes, userId: userId ?? null })
  return { authorization: `Bearer ${token}` }
}

test('a request without credentials is asked for a token', async () => {
  const answer = await ask({})
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="api"',
  ])
  expect((await ask({ cookie: 'eve' })).status).toBe(401)
  expect(principal).toBeNull()
})

test('a session lets its person in, and to change things only from a page of this site', async () => {
  expect((await ask({ cookie: 'ada' })).status).toBe(200)
  expect(principal).toEqual({ user: ada, via: 'cookie', rights: ['read', 'write'] })
  expect((await ask({ cookie: 'ada' }, 'HEAD')).status).toBe(200)
  for (const method of ['POST', 'PUT', 'DELETE']) {
    principal = null
    expect((await ask({ cookie: 'ada' }, method)).status).toBe(403)
    expect((await ask({ cookie: 'ada', origin: 'http://b.test' }, method)).status).toBe(403)
    expect(principal).toBeNull()
    expect((await ask({ cookie: 'ada', origin: 'http://a.test' }, method)).status).toBe(200)
    expect(principal).toEqual({ user: ada, via: 'cookie', rights: ['read', 'write'] })
  }
})

test('a token lets in who made it, or nobody in particular', async () => {
  await metadata.all(
    `insert into users ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
     values ('u1', 'Ada', 'ada@x.test', 1, '', '')`,
  )
  expect((await ask(await bearer(['read'], 'u1'))).status).toBe(200)
  expect(principal).toEqual({ user: ada, via: 'token', rights: ['read'] })
  await ask(await bearer(['read']))
  expect(principal).toEqual({ user: null, via: 'token', rights: ['read'] })
  // The cookie beside it does not count, and no site is asked for.
  await ask({ ...(await bearer(['write'])), cookie: 'ada' }, 'POST')
  expect(principal).toEqual({ user: null, via: 'token', rights: ['write'] })
})

test.each<[TokenRight[], string, number]>([
  [['read'], 'GET', 200],
  [['read'], 'HEAD', 200],
  [['read'], 'POST', 403],
  [['write'], 'GET', 403],
  [['write'], 'HEAD', 403],
  [['write'], 'DELETE', 200],
  [['read', 'write'], 'PUT', 200],
  // An empty list means read only.
  [[], 'GET', 200],
  [[], 'POST', 403],
])('a token that may %j asks %s: %i', async (scopes, method, status) => {
  expect((await ask(await bearer(scopes), method)).status).toBe(status)
})

test('another authorization is refused, whatever cookie is beside it', async () => {
  const { authorization } = await bearer(['read'])
  const token = authorization.slice('Bearer '.length)
  expect((await ask({ authorization: `bearer   ${token}` })).status).toBe(200)
  for (const other of [
    '',
    token,
    `Basic ${token}`,
    `x Bearer ${token}`,
    `Bearer ${token} x`,
    `Bearer${token}`,
    `Bearer ${token.replace(/.$/, 'g')}`,
    `Bearer ait_${'0'.repeat(64)}`,
    `Bearer ${'x'.repeat(201)}`,
  ]) {
    const answer = await ask({ authorization: other, cookie: 'ada' })
    expect([answer.status, await answer.text()]).toEqual([401, 'Invalid token'])
  }
})
