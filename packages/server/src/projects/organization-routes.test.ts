import type { ApiProject, ApiProjectKey } from '@afterimage/protocol/api/organization'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createToken } from '../auth/tokens.ts'
import { createOwnerLink } from '../auth/owner.ts'
import {
  type ApiServer,
  errorItem,
  openApiServer,
  testNow,
  testOwner,
} from '../testing/api-server.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

describe('access to the API', () => {
  test.each([
    [{}],
    [{ authorization: 'Bearer ' }],
    [{ authorization: `Bearer ait_${'0'.repeat(64)}` }],
    [{ authorization: 'Basic eDp5' }],
    [{ cookie: 'afterimage.session_token=forged.sig' }],
  ])('is refused to a request with %o', async (headers: Record<string, string>) => {
    const response = await server.ask('/organizations/main/issues/', { headers })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ detail: expect.any(String) })
  })

  test('a session cookie reads; it changes only from a page of this site', async () => {
    const { cookie, origin } = await server.signIn()
    const path = '/projects/main/store/'
    const put = (headers: Record<string, string>) =>
      server.ask(path, { method: 'PUT', body: { name: 'Shop' }, headers })
    expect((await server.ask(path, { headers: { cookie } })).status).toBe(200)
    expect((await put({ cookie })).status).toBe(403)
    expect((await put({ cookie, origin: 'https://evil.example' })).status).toBe(403)
    expect((await put({ cookie, origin, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await put({ cookie, origin })).status).toBe(200)
    expect((await put({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('a token that may only read changes nothing', async () => {
    const token = await createToken(server.metadata, { name: 'reader', scopes: ['read'] })
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.ask('/projects/main/store/', { headers })).status).toBe(200)
    const change = { method: 'PUT', body: { name: 'Shop' }, headers }
    expect((await server.ask('/projects/main/store/', change)).status).toBe(403)
  })

  test('the root says the version, as tools that look for the API ask', async () => {
    for (const path of ['/api/0/', '/api/0']) {
      expect(await server.json(path)).toMatchObject({ version: '0', user: null })
    }
  })

  test('a path with another method is a 405 that says which it takes', async () => {
    const response = await server.ask('/organizations/main/issues/', { method: 'PATCH' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, PUT, DELETE')
    expect(await response.json()).toEqual({ detail: 'Method "PATCH" not allowed.' })
    expect((await server.ask('/no/such/path/', { method: 'PATCH' })).status).toBe(404)
  })

  test('users/me is the person, and a 404 for a token of nobody', async () => {
    const headers = await server.signIn()
    expect(await server.json('/users/me/', { headers })).toMatchObject({ email: testOwner.email })
    expect((await server.ask('/users/me/')).status).toBe(404)
    expect(await server.json('/organizations/main/members/')).toHaveLength(1)
  })
})

test('unknown paths are a 404 in JSON, with and without a slash', async () => {
  for (const path of ['/nothing/', '/organizations/main/nothing', '/api/1/x', '/api/0']) {
    const response = await server.ask(path)
    expect(response.headers.get('content-type'), path).toMatch(/json/)
    if (path !== '/api/0') expect(response.status, path).toBe(404)
  }
  expect((await server.ask('/organizations/main')).status).toBe(200)
  expect(await server.json('/organizations/')).toMatchObject([{ slug: 'main', id: '1' }])
})

describe('set-up', () => {
  const body = { name: 'Ada', email: 'Ada@Example.com', password: 'correct horse' }
  const headers = { origin: 'http://localhost:9000' }

  test('the link makes the owner, signs in, and works once', async () => {
    expect(await server.json('/setup/', { headers: {} })).toEqual({ isNeeded: true })
    const token = await createOwnerLink(server.metadata)
    const response = await server.ask('/setup/', {
      method: 'POST',
      body: { ...body, token },
      headers,
    })
    expect(response.status).toBe(201)
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await server.json('/users/me/', { headers: { cookie } })).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
    })
    expect(await server.json('/setup/', { headers: {} })).toEqual({ isNeeded: false })
    const again = { ...body, email: 'eve@example.com', token }
    expect((await server.ask('/setup/', { method: 'POST', body: again, headers })).status).toBe(400)
  })

  test.each([
    [{ token: undefined }, /^token/],
    [{ token: 'guess' }, /^token/],
    [{ password: 'short' }, /^password/],
    [{ password: undefined }, /^password/],
    [{ email: 'nobody' }, /^email/],
    [{ name: '' }, /^name/],
  ])('refuses %o', async (change, detail) => {
    const token = await createOwnerLink(server.metadata)
    const response = await server.ask('/setup/', {
      method: 'POST',
      body: { ...body, token, ...change },
      headers,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) })
  })

  test('refuses a page of another site', async () => {
    const token = await createOwnerLink(server.metadata)
    const response = await server.ask('/setup/', {
      method: 'POST',
      body: { ...body, token },
      headers: { origin: 'https://evil.example' },
    })
    expect(response.status).toBe(403)
  })
})

describe('projects', () => {
  test('are made with a key and a DSN, listed, changed', async () => {
    const made = await server.json<ApiProject>('/organizations/main/projects/', {
      method: 'POST',
      body: { name: 'My Shop!', platform: 'javascript-nextjs' },
    })
    expect(made).toMatchObject({ id: '2', slug: 'my-shop', firstEvent: null, hasReplays: false })
    const [key] = await server.json<ApiProjectKey[]>('/projects/main/my-shop/keys/')
    expect(key?.dsn).toEqual({
      public: `http://${key?.public}@localhost:9000/2`,
      tunnel: '/monitoring?o=1&p=2',
    })
    const path = '/projects/main/my-shop/keys/'
    const second = await server.json<ApiProjectKey>(path, { method: 'POST', body: { name: 'CI' } })
    expect(second).toMatchObject({ label: 'CI', isActive: true })
    const off = { method: 'PUT', body: { isActive: false } }
    expect(await server.json(`${path}${second.id}/`, off)).toMatchObject({ isActive: false })
    expect(await server.json('/organizations/main/projects/')).toHaveLength(2)
    const change = { method: 'PUT', body: { slug: 'shop' } }
    expect(await server.json('/projects/main/2/', change)).toMatchObject({ slug: 'shop' })
    const taken = await server.ask('/projects/main/shop/', {
      method: 'PUT',
      body: { slug: 'store' },
    })
    expect(taken.status).toBe(409)
  })

  test.each([
    [{}, /^name: is required/],
    [{ name: 7 }, /^name/],
    [{ name: 'X', slug: 'Not A Slug' }, /^slug/],
    [{ name: 'Store' }, /^slug: a project "store" exists/],
    [{ name: '!!!' }, /^slug/],
    [{ name: 'X', platform: 'a b' }, /^platform/],
  ])('refuses %j', async (body, detail) => {
    const response = await server.ask('/organizations/main/projects/', { method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) })
  })

  test('the first event and environments appear when they arrive', async () => {
    await server.store([errorItem(1, { environment: 'staging' })])
    expect(await server.json('/projects/main/store/')).toMatchObject({
      firstEvent: new Date(testNow).toISOString(),
    })
    for (const path of [
      '/organizations/main/environments/',
      '/projects/main/store/environments/',
    ]) {
      expect(await server.json(path)).toEqual([{ id: '1', name: 'staging' }])
    }
  })

  test('deleting asks for the name, and takes everything along', async () => {
    await server.store([errorItem(1)])
    const path = '/projects/main/store/'
    expect((await server.ask(path, { method: 'DELETE', body: {} })).status).toBe(400)
    expect((await server.ask(path, { method: 'DELETE', body: { name: 'Shop' } })).status).toBe(400)
    expect((await server.ask(path, { method: 'DELETE', body: { name: 'Store' } })).status).toBe(204)
    expect((await server.ask(path)).status).toBe(404)
    await server.applyRemovals()
    const rows = await server.events.page({ table: 'errors', projectIds: [1], where: [], limit: 1 })
    expect(rows.rows).toEqual([])
  })
})
