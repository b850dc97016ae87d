import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { createToken, endToken, hashToken, listTokens, verifyToken } from './tokens.ts'

let metadata: SqliteMetadata
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  metadata = await openSqliteMetadata({ file: ':memory:' })
})
afterEach(async () => {
  vi.useRealTimers()
  await metadata.close()
})

test('a token is known by its secret, of which only the hash is kept', async () => {
  await metadata.all(
    `insert into users ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
     values ('u1', 'Ada', 'ada@x.test', 1, '', '')`,
  )
  const secret = await createToken(metadata, { name: ' ci ', scopes: ['read'], userId: 'u1' })
  expect(secret).toMatch(/^ait_[0-9a-f]{64}$/)
  expect(await createToken(metadata, { name: 'other' })).not.toBe(secret)
  const [row] = await metadata.all('select token_hash, name, created_at from api_tokens')
  expect(row).toEqual({
    token_hash: hashToken(secret),
    name: 'ci',
    created_at: 1_800_000_000_000,
  })
  expect(await verifyToken(metadata, secret)).toEqual({
    id: 1,
    name: 'ci',
    scopes: ['read'],
    userId: 'u1',
  })
})

test('a token without rights named has both, one of an empty list reads, and nobody owns it', async () => {
  const both = await createToken(metadata, { name: 'x' })
  const none = await createToken(metadata, { name: 'x', scopes: [], userId: null })
  expect(await verifyToken(metadata, both)).toMatchObject({
    scopes: ['read', 'write'],
    userId: null,
  })
  expect(await verifyToken(metadata, none)).toMatchObject({ scopes: ['read'], userId: null })
})

test.each([
  ['', false],
  ['  ', false],
  ['x'.repeat(201), false],
  [` ${'x'.repeat(200)} `, true],
])('whether %j is a valid name: %s', async (name, isValid) => {
  const made = createToken(metadata, { name })
  if (isValid) expect(await made).toContain('ait_')
  else await expect(made).rejects.toMatchObject({ code: 'INPUT_INVALID' })
})

test('there are a thousand tokens at most', async () => {
  await metadata.all(
    `insert into api_tokens (token_hash, name, scopes, created_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 999)
     select i, 'x', '[]', 0 from n`,
  )
  await createToken(metadata, { name: 'the last' })
  await expect(createToken(metadata, { name: 'one more' })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
  })
  expect(await listTokens(metadata)).toHaveLength(1000)
})

test('a text that is not one of our secrets is not a valid token', async () => {
  const secret = await createToken(metadata, { name: 'x' })
  const other = `ait_${'0'.repeat(64)}`
  for (const text of [
    '',
    other,
    `x${secret}`,
    `${secret}0`,
    secret.slice(0, -1),
    secret.slice(4),
  ]) {
    expect(await verifyToken(metadata, text)).toBeNull()
  }
})

test('a text that cannot be a secret is not looked up', async () => {
  const all = vi.spyOn(metadata, 'all')
  const hex = '0'.repeat(64)
  for (const text of [
    `ait_${hex}0`,
    `xait_${hex}`,
    `ait_${hex.slice(1)}g`,
    `ait_${hex.slice(1)}`,
  ]) {
    expect(await verifyToken(metadata, text)).toBeNull()
  }
  expect(all).not.toHaveBeenCalled()
})

test('the time of the last use is written once a minute', async () => {
  const secret = await createToken(metadata, { name: 'x' })
  const lastUsed = async () => (await listTokens(metadata))[0]?.last_used_at
  expect(await lastUsed()).toBeNull()
  const first = Date.now()
  for (const [passed, expected] of [
    [0, first],
    [59_999, first],
    [60_000, first + 60_000],
  ] as const) {
    vi.setSystemTime(first + passed)
    await verifyToken(metadata, secret)
    expect(await lastUsed()).toBe(expected)
  }
})

test('tokens are listed newest first, and an ended one is refused at once', async () => {
  const secrets = [
    await createToken(metadata, { name: 'a' }),
    await createToken(metadata, { name: 'b' }),
  ]
  expect(await listTokens(metadata)).toEqual([
    { id: 2, name: 'b', created_at: Date.now(), last_used_at: null, scopes: '["read","write"]' },
    { id: 1, name: 'a', created_at: Date.now(), last_used_at: null, scopes: '["read","write"]' },
  ])
  expect(await endToken(metadata, 1)).toBe(true)
  expect(await endToken(metadata, 1)).toBe(false)
  expect(await verifyToken(metadata, secrets[0]!)).toBeNull()
  expect(await verifyToken(metadata, secrets[1]!)).toMatchObject({ id: 2 })
})
