/** Every route of the API, asked by everyone who may not. */
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../auth/tokens.ts'
import { type ApiServer, openApiServer, testOrigin } from '../testing/api-server.ts'
import type { ApiEnv } from './context.ts'
import { guardedRoutes } from './index.ts'

let server: ApiServer
beforeAll(async () => {
  server = await openApiServer()
})
afterAll(() => server.close())

/** Method and address of each route, with something in place of its parameters. */
function everyRoute(): readonly (readonly [method: string, path: string])[] {
  const app = new Hono<ApiEnv>()
  for (const add of guardedRoutes) add(app, server as unknown as Parameters<typeof add>[1])
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => {
      const named = path.replaceAll(/:org\b/g, 'main').replaceAll(/:\w+(\{[^}]*\})?/g, '1')
      return [method, named] as const
    })
  return routes
}

async function revokedToken(): Promise<string> {
  const token = await createToken(server.metadata, { name: 'revoked' })
  await server.metadata.all("delete from api_tokens where name = 'revoked'")
  return token
}

async function signedOutCookie(): Promise<string> {
  const { cookie, origin } = await server.signIn()
  const headers = { cookie, origin, 'sec-fetch-site': 'same-origin' }
  await server.ask('/api/auth/sign-out', { method: 'POST', headers })
  return cookie
}

/** All that a request can bring which is not right. */
async function wrongCredentials(): Promise<Readonly<Record<string, Record<string, string>>>> {
  const cookie = await signedOutCookie()
  const name = cookie.split('=')[0] ?? ''
  const key = 'a'.repeat(32)
  return {
    none: {},
    'a made-up token': { authorization: `Bearer ait_${'0'.repeat(64)}` },
    'a revoked token': { authorization: `Bearer ${await revokedToken()}` },
    'no token': { authorization: 'Bearer ' },
    'a token of another form': { authorization: 'Bearer x' },
    'a name and a password': { authorization: `Basic ${btoa('owner:password')}` },
    'the public key of a project': { 'x-sentry-auth': `Sentry sentry_key=${key}` },
    'a signed-out session': { cookie, origin: testOrigin, 'sec-fetch-site': 'same-origin' },
    'a forged session': { cookie: `${name}=x.${btoa('x'.repeat(32))}`, origin: testOrigin },
    'an empty session': { cookie: `${name}=`, origin: testOrigin },
    'a wrong token beside a session': {
      cookie,
      authorization: `Bearer ait_${'1'.repeat(64)}`,
      origin: testOrigin,
    },
  }
}

test('every route answers 401 to a request without credentials, with wrong ones and with revoked ones', async () => {
  const routes = everyRoute()
  expect(routes.length).toBeGreaterThan(60)
  const answered: string[] = []
  for (const [who, headers] of Object.entries(await wrongCredentials())) {
    for (const [method, path] of routes) {
      const body = method === 'GET' ? {} : { body: {} }
      const { status } = await server.ask(path, { method, headers, ...body })
      if (status !== 401) answered.push(`${who}: ${method} ${path}: ${status}`)
    }
  }
  expect(answered).toEqual([])
})

test('so does every other address, whatever the method', async () => {
  for (const path of ['/', '/no/', '/organizations/main/', '/projects/other/1/']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status } = await server.ask(path, { method, headers: {} })
      expect([method, path, status]).toEqual([method, path, 401])
    }
  }
})
