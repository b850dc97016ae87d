import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProject, createProjectKey, dsnOf, listProjects } from './projects.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { createToken, verifyToken } from '../auth/tokens.ts'

const config = { baseUrl: 'https://example.com/errors' }
const web = { slug: 'web', name: 'Web', platform: null }

let metadata: SqliteMetadata
beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
})
afterEach(() => metadata.close())

test('a project gets the next id, a key, and a DSN under the base path', async () => {
  const created = await createProject(metadata, config, web)
  expect(created).toMatchObject({ id: '1', slug: 'web' })
  expect(created.dsn).toMatch(/^https:\/\/[0-9a-f]{32}@example\.com\/errors\/1$/)
  expect(await listProjects(metadata, config)).toEqual([created])
})

test('id and keys can be taken over from another server; the next id comes after', async () => {
  const keys = ['a'.repeat(32), 'b'.repeat(32)]
  await createProject(metadata, config, { ...web, id: 42, keys })
  expect(
    (await metadata.all('select public_key from project_keys order by public_key')).map(
      (row) => row['public_key'],
    ),
  ).toEqual(keys)
  await metadata.all('delete from projects')
  expect((await createProject(metadata, config, web)).id).toBe('43')
})

test.each([
  [{ slug: 'Web' }, 'slug'],
  [{ slug: '42' }, 'slug'],
  [{ slug: '' }, 'slug'],
  [{ slug: 'taken' }, 'slug'],
  [{ name: ' ' }, 'name'],
  [{ platform: 'a b' }, 'platform'],
  [{ id: -1 }, 'id'],
  [{ id: 7 }, 'id'],
  [{ keys: ['xyz'] }, 'key'],
  [{ keys: ['c'.repeat(32)] }, 'key'],
  [{ keys: ['d'.repeat(32), 'd'.repeat(32)] }, 'key: given twice'],
])('refuses %o, naming the field', async (fields, named) => {
  await createProject(metadata, config, {
    slug: 'taken',
    name: 'T',
    platform: null,
    id: 7,
    keys: ['c'.repeat(32)],
  })
  await expect(createProject(metadata, config, { ...web, ...fields })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringMatching(new RegExp(`^${named}`)),
  })
})

test('a further key works beside the first', async () => {
  await createProject(metadata, config, web)
  const key = await createProjectKey(metadata, { projectId: 1, label: 'Tunnel' })
  expect(await metadata.all('select label from project_keys where public_key = ?', key)).toEqual([
    { label: 'Tunnel' },
  ])
})

test('a DSN without a base path', () => {
  expect(dsnOf({ baseUrl: 'http://localhost:9000', publicKey: 'k', projectId: 3 })).toBe(
    'http://k@localhost:9000/3',
  )
})

test('a token is known by its hash only, and stands for nobody once it is altered', async () => {
  const secret = await createToken(metadata, { name: 'ci' })
  expect(JSON.stringify(await metadata.all('select * from api_tokens'))).not.toContain(secret)
  expect(await verifyToken(metadata, secret)).toMatchObject({ name: 'ci', userId: null })
  expect(await verifyToken(metadata, `${secret.slice(0, -1)}0${secret.at(-1)}`)).toBeNull()
  expect(await verifyToken(metadata, 'ait_')).toBeNull()
  await expect(createToken(metadata, { name: '' })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
})
