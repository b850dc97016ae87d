import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiServer, openApiServer } from '../testing/api-server.ts'
import type { TokenRight } from './rights.ts'
import { createToken } from './tokens.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

type Token = { id: string; name: string; token?: string; lastUsedAt: string | null }

test('a person makes a token, sees its secret once, uses it and ends it', async () => {
  const headers = await server.signIn()
  const made = await server.json<Token>('/api-tokens/', {
    method: 'POST',
    headers,
    body: { name: 'ci' },
  })
  expect(made).toMatchObject({ name: 'ci', lastUsedAt: null })
  const asTool = { headers: { authorization: `Bearer ${made.token}` } }
  expect((await server.ask('/organizations/main/', asTool)).status).toBe(200)

  const listed = await server.json<Token[]>('/api-tokens/', { headers })
  expect(listed.find((token) => token.id === made.id)?.lastUsedAt).not.toBeNull()
  expect(JSON.stringify(listed)).not.toContain(made.token)

  const path = `/api-tokens/${made.id}/`
  expect((await server.ask(path, { method: 'DELETE', headers })).status).toBe(204)
  expect((await server.ask(path, { method: 'DELETE', headers })).status).toBe(404)
  expect((await server.ask('/organizations/main/', asTool)).status).toBe(401)
})

test('a token makes and ends no tokens', async () => {
  const refused = await server.ask('/api-tokens/', { method: 'POST', body: { name: 'x' } })
  expect(refused.status).toBe(403)
  expect((await server.ask('/api-tokens/1/', { method: 'DELETE' })).status).toBe(403)
})

test('a token without a name is refused', async () => {
  const headers = await server.signIn()
  const refused = await server.ask('/api-tokens/', { method: 'POST', headers, body: {} })
  expect(refused.status).toBe(400)
})

test.each<[readonly TokenRight[], number, number]>([
  [['read', 'write'], 200, 200],
  [['read'], 200, 403],
  [['write'], 403, 200],
  [['metrics'], 403, 403],
  [[], 200, 403],
])('a token with the rights %j reads with %i and writes with %i', async (scopes, read, write) => {
  const token = await createToken(server.metadata, { name: 'narrow', scopes })
  const headers = { authorization: `Bearer ${token}` }
  const path = '/projects/main/store/'
  expect((await server.ask(path, { headers })).status).toBe(read)
  expect((await server.ask(path, { method: 'PUT', headers, body: {} })).status).toBe(write)
})

test('a token that is made without rights named has both, by their names', async () => {
  await createToken(server.metadata, { name: 'plain' })
  expect(await server.metadata.all("select scopes from api_tokens where name = 'plain'")).toEqual([
    { scopes: '["read","write"]' },
  ])
})

test('tokens are listed and made for people as the console shows them', async () => {
  const headers = await server.signIn()
  const [first] = await server.json<Token[]>('/api-tokens/', { headers })
  expect(first).toEqual({
    id: '1',
    name: 'test',
    dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    scopes: ['read', 'write'],
    lastUsedAt: null,
  })
  const made = await server.ask('/api-tokens/', { method: 'POST', headers, body: { name: ' ci ' } })
  expect(made.status).toBe(201)
  expect(await made.json()).toEqual({
    ...first,
    id: '2',
    name: 'ci',
    dateCreated: expect.any(String),
    token: expect.stringMatching(/^ait_/),
  })
  expect(await server.metadata.all('select user_id from api_tokens where id = 2')).toEqual([
    { user_id: expect.any(String) },
  ])
})

test.each(['x', '1x', 'x1', '1'.repeat(16), '-1', '7'])(
  'there is no token %s to end',
  async (id) => {
    const headers = await server.signIn()
    const answer = await server.ask(`/api-tokens/${id}/`, { method: 'DELETE', headers })
    expect(answer.status).toBe(404)
    expect(await server.json<Token[]>('/api-tokens/', { headers })).toHaveLength(1)
  },
)

test('a token of a person makes and ends no tokens either', async () => {
  const headers = await server.signIn()
  const made = await server.json<Token>('/api-tokens/', {
    method: 'POST',
    headers,
    body: { name: 'ci' },
  })
  const asTool = { authorization: `Bearer ${made.token}` }
  const refused = await server.ask('/api-tokens/', {
    method: 'POST',
    headers: asTool,
    body: { name: 'x' },
  })
  expect(refused.status).toBe(403)
  expect((await server.ask('/api-tokens/1/', { method: 'DELETE', headers: asTool })).status).toBe(
    403,
  )
})

test('a token with an id of many digits is ended', async () => {
  await server.metadata.all('update api_tokens set id = 123456789012345 where id = 1')
  const headers = await server.signIn()
  const ended = await server.ask('/api-tokens/123456789012345/', { method: 'DELETE', headers })
  expect(ended.status).toBe(204)
})
