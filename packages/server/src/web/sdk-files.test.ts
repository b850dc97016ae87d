import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSdkFiles, type SdkFiles } from './sdk-files.ts'

let folder: string
let files: SdkFiles
let server: Server
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sdk-files-'))
  writeFileSync(join(folder, 'afterimage.js'), 'console.log("the client")')
  writeFileSync(join(folder, 'complete'), '')
  files = openSdkFiles(folder)
  server = createServer((request, response) => {
    if (!files.answer(request, response)) response.writeHead(418).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test('a file of the exact version never changes, and any host may load it', async () => {
  const answer = await fetch(`${url}/sdk/${files.version}/afterimage.js`, {
    headers: { 'accept-encoding': 'gzip, deflate, br' },
  })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('console.log("the client")')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  })
})

test('another version gets the same file for an hour, and asks again by its tag', async () => {
  const answer = await fetch(`${url}/sdk/0.0.9/afterimage.js`, {
    headers: { 'accept-encoding': 'gzip' },
  })
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.text()).toBe('console.log("the client")')
  const again = await fetch(`${url}/sdk/0.0.9/afterimage.js`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  const plain = await fetch(`${url}/sdk/0.0.9/afterimage.js`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'identity' },
  })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(plain.headers.get('content-length')).toBe('25')
})

test.each([
  '/sdk/1/complete',
  '/sdk/1/../../package.json',
  '/sdk/1/nothing.js',
  '/sdk/',
  '/sdk/1/%2e%2e/x',
])('%s is not there', async (path) => {
  const answer = await fetch(`${url}${path}`)
  expect([404, 418]).toContain(answer.status)
})

test('only reading is possible, and other addresses are left to others', async () => {
  const answer = await fetch(`${url}/sdk/1/afterimage.js`, { method: 'POST', body: '' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(`${url}/sdks`)).status).toBe(418)
})
