import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import {
  applyOwnerOfSettings,
  createOwnerByLink,
  createOwnerLink,
  hasUsers,
  type NewOwner,
  seedOwner,
  setPassword,
} from './owner.ts'
import { hashToken } from './tokens.ts'

const work = vi.hoisted(() => ({ hashed: [] as string[] }))
// The real one takes 50 ms on purpose.
vi.mock('better-auth/crypto', () => ({
  hashPassword: async (password: string) => {
    work.hashed.push(password)
    return `hash of ${password}`
  },
  verifyPassword: async ({ hash, password }: { hash: string; password: string }) =>
    hash === `hash of ${password}`,
}))

const owner = { name: 'Ada', email: 'Ada@x.test', password: 'correct horse' }
const week = 7 * 24 * 3_600_000

let metadata: SqliteMetadata
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  work.hashed = []
  metadata = await openSqliteMetadata({ file: ':memory:' })
})
afterEach(async () => {
  vi.useRealTimers()
  await metadata.close()
})

async function accounts(): Promise<unknown[]> {
  return metadata.all(
    `select u.name, u.email, u."emailVerified" as verified, a."providerId" as provider, a."password" as password
     from users u join accounts a on a."userId" = u.id and a."accountId" = u.id`,
  )
}

const ada = {
  email: 'ada@x.test',
  verified: 1,
  provider: 'credential',
  password: 'hash of correct horse',
}

test('the link makes the owner once, and only the hash of its secret is kept', async () => {
  const secret = await createOwnerLink(metadata)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(await metadata.all('select token_hash, created_at, used_at from setup_links')).toEqual([
    { token_hash: hashToken(secret), created_at: Date.now(), used_at: null },
  ])
  expect(await hasUsers(metadata)).toBe(false)
  await createOwnerByLink(metadata, secret, { ...owner, name: ' Ada ' })
  expect(await hasUsers(metadata)).toBe(true)
  expect(await accounts()).toEqual([{ name: 'Ada', ...ada }])
  const other = { ...owner, email: 'eve@x.test' }
  await expect(createOwnerByLink(metadata, secret, other)).rejects.toThrow(/^token:/)
  expect(await accounts()).toHaveLength(1)
})

test('a new link ends those before it, but not the memory of one that was used', async () => {
  const used = await createOwnerLink(metadata)
  await createOwnerByLink(metadata, used, owner)
  const older = await createOwnerLink(metadata)
  await createOwnerLink(metadata)
  const rows = await metadata.all<{ token_hash: string }>('select token_hash from setup_links')
  expect(rows).toHaveLength(2)
  expect(rows.map((row) => row.token_hash)).toContain(hashToken(used))
  const other = { ...owner, email: 'eve@x.test' }
  await expect(createOwnerByLink(metadata, older, other)).rejects.toThrow(/^token:/)
})

test('a link works for seven days', async () => {
  const secret = await createOwnerLink(metadata)
  vi.setSystemTime(Date.now() + week)
  await expect(createOwnerByLink(metadata, secret, owner)).rejects.toThrow(/^token:/)
  vi.setSystemTime(Date.now() - 1)
  await createOwnerByLink(metadata, secret, owner)
})

test('no password is hashed for a stranger who guesses', async () => {
  await expect(createOwnerByLink(metadata, 'guess', owner)).rejects.toThrow(/^token:/)
  expect(work.hashed).toEqual([])
})

test('two people who use a link at once become one owner', async () => {
  const secret = await createOwnerLink(metadata)
  const both = await Promise.allSettled([
    createOwnerByLink(metadata, secret, owner),
    createOwnerByLink(metadata, secret, { ...owner, email: 'eve@x.test' }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await accounts()).toHaveLength(1)
})

test.each<[Partial<NewOwner>, RegExp]>([
  [{ name: ' ' }, /^name:/],
  [{ name: 'x'.repeat(201) }, /^name:/],
  [{ email: 'ada' }, /^email:/],
  [{ email: 'a b@x.test' }, /^email:/],
  [{ email: 'ada@x.test eve' }, /^email:/],
  [{ email: '@x.test' }, /^email:/],
  [{ email: 'ada@' }, /^email:/],
  [{ email: 'a@b@x.test' }, /^email:/],
  [{ email: `${'a'.repeat(314)}@x.test` }, /^email:/],
  [{ password: '1234567' }, /^password:.*8 to 128/],
  [{ password: 'x'.repeat(129) }, /^password:/],
])('%j is refused, and the link stays as it was', async (wrong, message) => {
  const secret = await createOwnerLink(metadata)
  const made = createOwnerByLink(metadata, secret, { ...owner, ...wrong })
  await expect(made).rejects.toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  await expect(made).rejects.toThrow(message)
  await createOwnerByLink(metadata, secret, owner)
})

test.each<Partial<NewOwner>>([
  { name: ` ${'x'.repeat(200)} ` },
  { email: `${'a'.repeat(313)}@x.test` },
  { password: '12345678' },
  { password: 'x'.repeat(128) },
])('%j is accepted', async (more) => {
  await createOwnerByLink(metadata, await createOwnerLink(metadata), { ...owner, ...more })
  expect(await accounts()).toHaveLength(1)
})

test('an address has one account, and a link for another is not spent on it', async () => {
  await seedOwner(metadata, owner)
  const secret = await createOwnerLink(metadata)
  await expect(createOwnerByLink(metadata, secret, owner)).rejects.toThrow(/^email:/)
  await createOwnerByLink(metadata, secret, { ...owner, email: 'eve@x.test' })
  expect(await accounts()).toHaveLength(2)
})

test('the owner of the settings is named by the address, and made when there is nobody', async () => {
  await expect(seedOwner(metadata, { ...owner, password: 'short' })).rejects.toThrow(/^password:/)
  await expect(seedOwner(metadata, { ...owner, email: 'ada' })).rejects.toThrow(/^email:/)
  expect(await seedOwner(metadata, owner)).toBe(true)
  expect(await accounts()).toEqual([{ name: 'Ada', ...ada }])
  work.hashed = []
  expect(await seedOwner(metadata, { ...owner, email: 'eve@x.test' })).toBe(false)
  expect(work.hashed).toEqual([])
  expect(await accounts()).toHaveLength(1)
})

test('two starts at once make one owner', async () => {
  const both = [seedOwner(metadata, owner), seedOwner(metadata, { ...owner, email: 'eve@x.test' })]
  expect((await Promise.all(both)).sort()).toEqual([false, true])
  expect(await accounts()).toHaveLength(1)
})

async function passwordOf(email: string): Promise<unknown> {
  const [account] = await metadata.all<{ password: string }>(
    `select a."password" as password from users u join accounts a on a."userId" = u.id where u.email = ?`,
    email,
  )
  return account?.password
}

test('another password in the settings is set, one that stays the same is not', async () => {
  const changed = { ...owner, password: 'battery staple' }
  expect(await applyOwnerOfSettings(metadata, owner)).toBe('made')
  expect(await applyOwnerOfSettings(metadata, owner)).toBe('unchanged')
  await setPassword(metadata, owner.email, 'from the console')
  expect(await applyOwnerOfSettings(metadata, owner)).toBe('unchanged')
  expect(await passwordOf('ada@x.test')).toBe('hash of from the console')
  expect(await applyOwnerOfSettings(metadata, changed)).toBe('changed')
  expect(await passwordOf('ada@x.test')).toBe('hash of battery staple')
  expect(await applyOwnerOfSettings(metadata, changed)).toBe('unchanged')
})

test('an owner made in the console keeps the password until the settings change', async () => {
  await seedOwner(metadata, owner)
  const settings = { ...owner, password: 'of the settings' }
  expect(await applyOwnerOfSettings(metadata, settings)).toBe('unchanged')
  expect(await passwordOf('ada@x.test')).toBe('hash of correct horse')
  expect(await applyOwnerOfSettings(metadata, { ...owner, password: 'another one' })).toBe(
    'changed',
  )
  expect(await passwordOf('ada@x.test')).toBe('hash of another one')
})

test('a new password ends the sessions of its account alone', async () => {
  await seedOwner(metadata, owner)
  await createOwnerByLink(metadata, await createOwnerLink(metadata), {
    ...owner,
    email: 'eve@x.test',
  })
  await metadata.all(
    `insert into sessions ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt")
     select email, email, id, '', '', '' from users`,
  )
  await setPassword(metadata, ' ADA@x.test ', 'battery staple')
  expect(await metadata.all('select id from sessions')).toEqual([{ id: 'eve@x.test' }])
  expect(await passwordOf('ada@x.test')).toBe('hash of battery staple')
  expect(await passwordOf('eve@x.test')).toBe('hash of correct horse')
})

test('a new password must be for somebody, and of its length', async () => {
  await seedOwner(metadata, owner)
  await expect(setPassword(metadata, 'eve@x.test', 'long enough')).rejects.toThrow(
    /^email:.*eve@x.test/,
  )
  await expect(setPassword(metadata, owner.email, 'short')).rejects.toThrow(/^password:/)
  expect(await passwordOf('ada@x.test')).toBe('hash of correct horse')
})
