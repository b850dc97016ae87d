import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiServer, openApiServer } from '../testing/api-server.ts'
import { damageFound } from '../storage/sqlite-damage.ts'
import { checkStores } from './readiness.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

test('stores that can be read are ready, also when nothing is in them', async () => {
  await checkStores(server)
})

function broken(): Promise<never> {
  return Promise.reject(new Error('a page is damaged'))
}

test('a store that cannot be read is not', async () => {
  await server.metadata.all('alter table project_keys rename to away')
  await expect(checkStores(server)).rejects.toThrow('project_keys')
  await server.metadata.all('alter table away rename to project_keys')
  await checkStores(server)
  await expect(checkStores({ ...server, events: { point: broken } })).rejects.toThrow('damaged')
  await expect(checkStores({ ...server, blobs: { get: broken } })).rejects.toThrow('damaged')
})

test('stores are not ready where another program has found a file damaged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'readiness-'))
  const file = join(folder, 'events.db')
  await checkStores(server, [file])
  damageFound(
    file,
    Object.assign(new Error('malformed'), { code: 'ERR_SQLITE_ERROR', errcode: 11 }),
  )
  await expect(checkStores(server, [file])).rejects.toThrow(`${file} is damaged`)
  rmSync(folder, { recursive: true })
})
