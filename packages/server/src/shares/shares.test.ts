import { mkdtempSync, rmSync } from 'node:fs'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ApiShare } from '@afterimage/protocol/api/organization'
import { expect, test } from 'vitest'
import { errorItem, openApiServer } from '../testing/api-server.ts'
import { openSqliteMetadata } from '../storage/metadata/sqlite.ts'

test('the store holds no link that is in force', async () => {
  const server = await openApiServer()
  await server.store([errorItem(1)])
  const path = '/organizations/main/issues/STORE-1/share/'
  const share = await server.json<ApiShare>(path, { method: 'POST' })
  const rows = JSON.stringify(await server.metadata.all('select * from shares'))
  expect(rows).not.toContain(share.id)
  expect(await server.json(path)).toEqual(share)
  const opened = await server.ask(`/shared/issues/${share.id}/`, { headers: {} })
  expect(opened.status).toBe(200)
  const guessed = await server.ask(`/shared/issues/${'0'.repeat(32)}/`, { headers: {} })
  expect(guessed.status).toBe(404)
  await server.close()
})

test('a link of an older version goes on by its hash, and a session does not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shares-'))
  const file = join(folder, 'metadata.db')
  const old = new DatabaseSync(file)
  const migrations = new URL('../storage/migrations/metadata/', import.meta.url)
  old.exec(readFileSync(new URL('0001-start.sql', migrations), 'utf8'))
  old.exec(`create table schema_migrations (version integer primary key, name text not null, applied_at integer not null) strict;
    insert into schema_migrations values (1, '0001-start.sql', 0);
    insert into projects (id, slug, name, created_at) values (1, 'shop', 'Shop', 0);
    insert into users ("id", "name", "email", "emailVerified", "createdAt", "updatedAt") values ('u', 'Ada', 'ada@example.com', 1, '', '');
    insert into sessions ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId") values ('s', '', 'clear', '', '', 'u');
    insert into shares (token, kind, project_id, replay_id, created_at) values ('${'a'.repeat(32)}', 'replay', 1, 'r', 0)`)
  old.close()
  const metadata = await openSqliteMetadata({ file })
  expect(await metadata.all('select * from sessions')).toEqual([])
  const [share] = await metadata.all('select token_hash, seed from shares')
  expect(share).toEqual({
    token_hash: '3ba3f5f43b92602683c19aee62a20342b084dd5971ddd33808d81a328879a547',
    seed: null,
  })
  await metadata.close()
  rmSync(folder, { recursive: true, force: true })
})
