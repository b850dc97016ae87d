import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiServer, openApiServer, testOrigin, testOwner } from '../testing/api-server.ts'
import { createOwnerLink } from './owner.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

const owner = { name: 'Ada', email: 'Ada@example.com', password: ' correct horse' }

async function setUp(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return server.ask('/setup/', { method: 'POST', headers, body })
}

async function isNeeded(): Promise<unknown> {
  return server.json('/setup/', { headers: {} })
}

test('the owner is made by the link, and is signed in by the answer', async () => {
  expect(await isNeeded()).toEqual({ isNeeded: true })
  const token = await createOwnerLink(server.metadata)
  const answer = await setUp({ ...owner, token }, { origin: testOrigin, host: 'localhost:9000' })
  expect([answer.status, await answer.json()]).toEqual([201, { email: 'ada@example.com' }])
  expect(await isNeeded()).toEqual({ isNeeded: false })
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  expect(await server.auth.userOf(new Headers({ cookie }))).toMatchObject({ name: 'Ada' })
  expect((await setUp({ ...owner, token })).status).toBe(400)
})

test('a page of another site sets nothing up', async () => {
  const token = await createOwnerLink(server.metadata)
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const answer = await setUp({ ...owner, token }, { host: 'localhost:9000', ...headers })
    expect(answer.status).toBe(403)
  }
  expect(await isNeeded()).toEqual({ isNeeded: true })
  expect((await setUp({ ...owner, token })).status).toBe(201)
})

test.each(['token', 'name', 'email', 'password'])(
  'without a %s nothing is set up',
  async (field) => {
    const token = await createOwnerLink(server.metadata)
    const answer = await setUp({ ...owner, token, [field]: undefined })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ detail: expect.stringContaining(field) })
    expect(await isNeeded()).toEqual({ isNeeded: true })
  },
)

test('once there is an owner no set-up is needed', async () => {
  await server.signIn()
  expect(await isNeeded()).toEqual({ isNeeded: false })
  expect(await server.auth.signIn({ ...testOwner, headers: new Headers() })).toMatchObject({
    status: 200,
  })
})
