import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ApiArtifactBundle } from '@afterimage/protocol/api/source-maps'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ApiServer, openApiServer, testNow } from '../testing/api-server.ts'
import { findArtifacts, uploadGeneration } from './artifacts.ts'
import { watchFolder, type WatchedFolder } from './watch-folder.ts'

const debugId = '0d1ba1e4-3b44-4a0c-b0b5-1d3e8a2f4c11'
const other = '11111111-3b44-4a0c-b0b5-1d3e8a2f4c11'

let server: ApiServer
let folder: string
let watched: WatchedFolder
const log = { warn: vi.fn() }
beforeEach(async () => {
  server = await openApiServer()
  folder = mkdtempSync(join(tmpdir(), 'watched-'))
  watched = watchFolder(server, folder, log)
})
afterEach(async () => {
  watched.close()
  log.warn.mockClear()
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Writes a file that was last changed at `at`, s after the epoch. */
function write(name: string, text: string, at = 1): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
  utimesSync(join(folder, name), at, at)
}

const script = (id: string) => `a()\n//# debugId=${id}\n//# sourceMappingURL=a.js.map`
const mapOf = (id: string) => `{"version":3,"debug_id":"${id}"}`
const find = (id: string) =>
  findArtifacts(server.metadata, {
    projectId: 1,
    debugId: id,
    release: null,
    dist: null,
    url: 'x',
  })
const bundles = () =>
  server.json<ApiArtifactBundle[]>('/projects/main/store/files/artifact-bundles/')

test('scripts and maps of a project are taken in, by slug or id, once', async () => {
  write('store/js/a.js', script(debugId))
  write('1/a.js.map', mapOf(debugId))
  write('store/style.css', 'a{}')
  await watched.takeIn(testNow)
  expect(await find(debugId)).toMatchObject({
    minified: { url: '~/js/a.js' },
    sourceMap: { url: '~/a.js.map' },
  })
  const before = await uploadGeneration(server.metadata, 1)
  watched.close()
  watched = watchFolder(server, folder, log)
  await watched.takeIn(testNow)
  expect(await uploadGeneration(server.metadata, 1)).toBe(before)
  expect(await bundles()).toMatchObject([{ origin: 'folder' }, { origin: 'folder' }])
  expect(readdirSync(join(folder, 'store')).sort()).toEqual(['js', 'style.css'])
})

test('a file that comes later, or is written anew, is taken in; what went stays', async () => {
  write('store/a.js.map', mapOf(debugId))
  await watched.takeIn(testNow)
  write('store/a.js.map', mapOf(other), 2)
  rmSync(join(folder, 'store'), { recursive: true })
  write('store/b.js.map', mapOf(other), 2)
  await vi.waitFor(async () => {
    await watched.takeIn(testNow)
    expect(await find(other)).toMatchObject({ sourceMap: { url: '~/b.js.map' } })
  })
  expect(await find(debugId)).not.toBeNull()
})

test('a file that may still be written waits', async () => {
  write('store/a.js.map', mapOf(debugId), testNow / 1000)
  await watched.takeIn(testNow + 999)
  expect(await find(debugId)).toBeNull()
  await watched.takeIn(testNow + 1000)
  expect(await find(debugId)).not.toBeNull()
})

test('a file without a debug id and a folder of no project are told once', async () => {
  write('store/a.js', 'a()')
  write('nobody/a.js', script(debugId))
  await watched.takeIn(testNow)
  await watched.takeIn(testNow + 60_000)
  expect(log.warn.mock.calls.map(([details]) => (details as { name: string }).name).sort()).toEqual(
    [join(folder, 'store/a.js'), 'nobody'],
  )
  expect(await bundles()).toEqual([])
})

test('a folder that is not there yet, and none at all, harm nothing', async () => {
  const later = watchFolder(server, join(folder, 'later'), log)
  await later.takeIn(testNow)
  write('later/store/a.js.map', mapOf(debugId))
  await later.takeIn(testNow + 60_000)
  later.close()
  expect(await find(debugId)).not.toBeNull()
  await watchFolder(server, null, log).takeIn(testNow)
})
