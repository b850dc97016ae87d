import { clientListMax, clientTextCharactersMax } from '@afterimage/protocol/client-settings'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createToken } from '../auth/tokens.ts'
import { type ApiServer, openApiServer } from '../testing/api-server.ts'
import { findClientSettings } from './client-settings.ts'

const path = '/projects/main/store/client-settings/'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

test('what is saved is read, and replaces what was there', async () => {
  expect(await server.json(path)).toEqual({})
  const settings = { enabled: false, sampleRate: 0.5, mask: ['.price', '#name'] }
  expect(await server.json(path, { method: 'PUT', body: settings })).toEqual(settings)
  expect(await server.json(path)).toEqual(settings)
  const next = { enabled: true, replaysSessionSampleRate: 0, mask: [], ignoreErrors: null }
  await server.json(path, { method: 'PUT', body: next })
  expect(await server.json(path)).toEqual({ replaysSessionSampleRate: 0 })
})

test('the other settings of the project stay', async () => {
  const scrubbing = { sensitiveFields: ['iban'] }
  await server.metadata.all('update projects set settings = ?', JSON.stringify({ scrubbing }))
  await server.json(path, { method: 'PUT', body: { sampleRate: 0 } })
  const [row] = await server.metadata.all<{ settings: string }>('select settings from projects')
  expect(JSON.parse(row?.settings ?? '')).toEqual({ scrubbing, client: { sampleRate: 0 } })
})

test.each([
  [{ sampleRate: 1.5 }, 'sampleRate: must be a number'],
  [{ tracesSampleRate: '1' }, 'tracesSampleRate: must be a number'],
  [{ enabled: 0 }, 'enabled: must be true or false'],
  [{ mask: '.a' }, 'mask: must be a list'],
  [{ mask: ['.a', ' '] }, 'mask: each must be a text'],
  [{ denyUrls: [7] }, 'denyUrls: each must be a text'],
  [{ ignoreErrors: ['x'.repeat(clientTextCharactersMax + 1)] }, 'ignoreErrors: each must be'],
  [{ block: Array.from({ length: clientListMax + 1 }, () => '.a') }, 'block: must be a list'],
  [{ unmask: ['html'] }, 'unmask: must be one of enabled, sampleRate'],
])('%j is refused by its name, and changes nothing', async (body, detail) => {
  const answer = await server.ask(path, { method: 'PUT', body })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ detail: expect.stringContaining(detail) })
  expect(await server.json(path)).toEqual({})
})

test('a token that may only read does not change them', async () => {
  const token = await createToken(server.metadata, { name: 'reader', scopes: ['read'] })
  const headers = { authorization: `Bearer ${token}` }
  const answer = await server.ask(path, { method: 'PUT', body: { sampleRate: 0 }, headers })
  expect(answer.status).toBe(403)
  expect((await server.ask(path, { headers })).status).toBe(200)
})

test('damaged settings count as not set', async () => {
  await server.metadata.all(`update projects set settings = '{"client":{"mask":7,"sampleRate":0}}'`)
  expect(await findClientSettings(server.metadata, 1)).toEqual({ sampleRate: 0 })
  await server.metadata.all(`update projects set settings = 'broken'`)
  expect(await findClientSettings(server.metadata, 1)).toEqual({})
})
