import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPackageFiles } from './package-files.ts'

let folder: string
let server: Server
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'package-files-'))
  writeFileSync(join(folder, 'afterimage-browser-0.1.0.tgz'), 'packed')
  writeFileSync(join(folder, 'complete'), '')
  mkdirSync(join(folder, 'browser'))
  writeFileSync(join(folder, 'browser/package.json'), '{}')
  const files = openPackageFiles(folder)
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

test('a package of a version never changes', async () => {
  const answer = await fetch(`${url}/npm/afterimage-browser-0.1.0.tgz`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('packed')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': '6',
    'content-type': 'application/gzip',
    'x-content-type-options': 'nosniff',
  })
  // The bytes are compressed already; npm compares their checksum.
  expect(answer.headers.get('content-encoding')).toBeNull()
  const again = await fetch(`${url}/npm/afterimage-browser-0.1.0.tgz`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})

test.each([
  '/npm/afterimage-browser-0.0.9.tgz',
  '/npm/complete',
  '/npm/browser/package.json',
  '/npm/../package.json',
  '/npm/%2e%2e/x.tgz',
  '/npm/',
])('%s is not there', async (path) => {
  expect([404, 418]).toContain((await fetch(`${url}${path}`)).status)
})

test('only reading is possible, and other addresses are left to others', async () => {
  const posted = await fetch(`${url}/npm/afterimage-browser-0.1.0.tgz`, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(`${url}/npms`)).status).toBe(418)
})
