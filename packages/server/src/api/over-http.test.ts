import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createToken } from '../auth/tokens.ts'
import { AppError } from '../errors.ts'
import { currentSignal } from '../storage/caller-signal.ts'
import { openSqliteEventsInThreads } from '../storage/events/sqlite/threads.ts'
import { openSqliteEvents } from '../storage/events/sqlite/index.ts'
import { type ApiServer, errorItem, openApiServer, testOwner } from '../testing/api-server.ts'

let api: ApiServer
let server: Server
let url: string
let authorization: string
beforeAll(async () => {
  api = await openApiServer()
  authorization = `Bearer ${await createToken(api.metadata, { name: 'http' })}`
  server = createServer(getRequestListener(api.handle, { overrideGlobalObjects: false }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await api.close()
})

test('a change with a body, over a real connection', async () => {
  const response = await fetch(`${url}/api/0/projects/main/store`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Shop' }),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ name: 'Shop' })
})

test('an unknown address under /api/ is a 404 in JSON, whatever the method', async () => {
  for (const path of ['/api', '/api/7/minidump/', '/api/auth/no-such-thing', '/api/0/no/']) {
    const response = await fetch(url + path, { method: 'POST', headers: { authorization } })
    expect([response.status, await response.json()], path).toEqual([
      404,
      { detail: 'The requested resource does not exist' },
    ])
  }
})

test('a body that is too large is refused while it comes', async () => {
  const response = await fetch(`${url}/api/0/projects/main/store/`, {
    method: 'PUT',
    headers: { authorization },
    body: `{"name": "${'x'.repeat(1_100_000)}"}`,
  })
  expect(response.status).toBe(413)
})

test('sign-in reads no more than a name and a password take, whatever length is stated', async () => {
  const body = JSON.stringify({ email: testOwner.email, password: 'x'.repeat(100_000) })
  const headers = { 'content-type': 'application/json' }
  for (const one of [body, new Blob([body]).stream()]) {
    const response = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers,
      body: one,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  }
})

test('signing in, asking and changing as a browser does; another site cannot', async () => {
  await api.signIn()
  const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(testOwner),
  })
  expect(signIn.status).toBe(200)
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const me = await fetch(`${url}/api/0/users/me/`, { headers: { cookie } })
  expect(await me.json()).toMatchObject({ email: testOwner.email })
  const change = (headers: Record<string, string>) =>
    fetch(`${url}/api/0/projects/main/store/`, {
      method: 'PUT',
      headers: { cookie, ...headers },
      body: '{"name":"Store"}',
    })
  expect((await change({ origin: url })).status).toBe(200)
  expect((await change({ origin: 'https://evil.example' })).status).toBe(403)
})

test('HEAD is answered like GET, without a body', async () => {
  const response = await fetch(`${url}/api/0/organizations/main/`, {
    method: 'HEAD',
    headers: { authorization },
  })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
})

test('when a store fails, the answer says so without telling what it was asked', async () => {
  const broken = await openApiServer()
  await broken.metadata.all('drop table issue_seen')
  const stderr = vi.spyOn(console, 'error').mockImplementation(() => {})
  await broken.store([errorItem(1)])
  const response = await broken.ask('/organizations/main/issues/')
  expect(response.status).toBe(503)
  const { detail } = (await response.json()) as { detail: string }
  expect(detail).toMatch(/^STORAGE_FAILED: Check the disk/)
  expect(stderr).toHaveBeenCalledOnce()
  stderr.mockRestore()
  await broken.close()
})

test('reads of the event store end when the client closes its request', async () => {
  const asked = Promise.withResolvers<AbortSignal>()
  vi.spyOn(api.events, 'page').mockImplementation(async () => {
    const signal = currentSignal() ?? AbortSignal.abort()
    asked.resolve(signal)
    await once(signal, 'abort')
    throw new AppError('QUERY_ABANDONED', 'gone')
  })
  const client = new AbortController()
  const answer = fetch(`${url}/api/0/organizations/main/replays/`, {
    headers: { authorization },
    signal: client.signal,
  }).catch((error: unknown) => error)
  const signal = await asked.promise
  expect(signal.aborted).toBe(false)
  client.abort()
  await once(signal, 'abort')
  expect(await answer).toMatchObject({ name: 'AbortError' })
  vi.restoreAllMocks()
})

async function search(): Promise<[number, unknown]> {
  const path = '/api/0/organizations/main/replays/?query=url:*a*b*'
  const response = await fetch(url + path, { headers: { authorization } })
  return [response.status, await response.json()]
}

test('a search is given 10 s, and then told what to narrow; while too many wait it is a 503', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slow-search-'))
  const file = join(folder, 'events.db')
  const writer = await openSqliteEvents({ file, mode: 'writer' })
  const reader = await openSqliteEventsInThreads({ file })
  const page = vi.spyOn(api.events, 'page').mockImplementation(reader.page)
  const wait = AbortSignal.timeout.bind(AbortSignal)
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => wait(1))
  const slow = await search()
  expect(slow).toEqual([400, { detail: expect.stringMatching(/Narrow it: .*wildcards/) as string }])
  expect(limit.mock.calls).toEqual([[10_000]])
  limit.mockRestore()
  page.mockRejectedValue(new AppError('READS_BUSY', '200 queries wait'))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await search()).toEqual([503, { detail: expect.stringContaining('narrower') as string }])
  vi.restoreAllMocks()
  await reader.close()
  await writer.close()
  rmSync(folder, { recursive: true })
})
