import type { DBAdapter } from 'better-auth/adapters'
import { beforeEach, expect, test } from 'vitest'
import { withHashedSessions } from './hashed-sessions.ts'
import { hashToken } from './tokens.ts'

type Input = { model: string; data?: object; where?: object[] }

/** An adapter that keeps what it was asked, and answers as the test says. */
let asked: [name: string, input: Input][]
let answer: unknown
let adapter: DBAdapter

beforeEach(() => {
  asked = []
  answer = null
  const operations = Object.fromEntries(
    ['create', 'findOne', 'findMany', 'update', 'updateMany', 'delete', 'deleteMany', 'count'].map(
      (name) => [
        name,
        async (input: Input) => {
          asked.push([name, input])
          return answer
        },
      ],
    ),
  )
  const inner = {
    ...operations,
    id: 'inner',
    transaction: (body: (inner: object) => unknown) => body({ ...operations, isInner: true }),
  }
  adapter = withHashedSessions(inner as unknown as DBAdapter)
})

const session = { model: 'session' }
const byToken = (value: unknown) => ({ field: 'token', value }) as never
const byUser = { field: 'userId', value: 'u1' } as never

test('a session is stored by the hash of its token, and comes back with the token', async () => {
  answer = { id: 's1', token: hashToken('t1') }
  const made = await adapter.create({ ...session, data: { token: 't1', userId: 'u1' } })
  expect(asked).toEqual([
    ['create', { ...session, data: { token: hashToken('t1'), userId: 'u1' } }],
  ])
  expect(made).toEqual({ id: 's1', token: 't1' })
})

test('a row that is not a session, or has no token, is stored as it is', async () => {
  for (const input of [
    { model: 'account', data: { token: 't1' } },
    { ...session, data: { userId: 'u1' } },
    { ...session, data: { token: 7 } },
  ]) {
    asked = []
    await adapter.create(input)
    expect(asked).toEqual([['create', input]])
  }
})

test.each(['findOne', 'update', 'updateMany', 'delete', 'deleteMany', 'count'] as const)(
  '%s asks by the hash of a token, and answers with the token',
  async (name) => {
    answer = { id: 's1', token: hashToken('t1') }
    const input = { ...session, where: [byToken('t1'), byUser] }
    const found: unknown = await adapter[name](input as never)
    expect(asked).toEqual([[name, { ...session, where: [byToken(hashToken('t1')), byUser] }]])
    expect(found).toEqual({ id: 's1', token: 't1' })
  },
)

test('many are asked for and answered by their tokens', async () => {
  answer = ['t1', 't2'].map((token) => ({ token: hashToken(token) }))
  const where = [byToken(['t1', 't2', 7])]
  expect(await adapter.findMany({ ...session, where })).toEqual([{ token: 't1' }, { token: 't2' }])
  expect(asked[0]?.[1].where).toEqual([byToken([hashToken('t1'), hashToken('t2'), 7])])
})

test('a session that was found otherwise has a token that is nobody’s, by which it is found again', async () => {
  const hash = hashToken('t1')
  answer = [{ token: hash }]
  const [found] = await adapter.findMany<{ token: string }>({ ...session, where: [byUser] })
  expect(found?.token).not.toBe('t1')
  expect(found?.token).not.toBe(hash)
  asked = []
  answer = 1
  await adapter.delete({ ...session, where: [byToken(found!.token)] })
  expect(asked[0]?.[1].where).toEqual([byToken(hash)])
  // The bare hash, as the database has it, opens nothing.
  asked = []
  await adapter.findOne({ ...session, where: [byToken(hash)] })
  expect(asked[0]?.[1].where).toEqual([byToken(hashToken(hash))])
})

test('questions about other tables, or without a condition, pass unchanged', async () => {
  answer = { token: 'x' }
  const input = { model: 'account', where: [byToken('t1')] }
  expect(await adapter.findOne(input)).toBe(answer)
  expect(asked).toEqual([['findOne', input]])
  asked = []
  await adapter.findMany(session)
  expect(asked).toEqual([['findMany', session]])
})

test.each([null, 7, { id: 's1' }])('an answer of %j is left as it is', async (given) => {
  answer = given
  expect(await adapter.findOne({ ...session, where: [byToken('t1')] })).toBe(given)
})

test('inside of a transaction it is the same', async () => {
  answer = { token: hashToken('t1') }
  const found = await adapter.transaction(async (inner) => {
    expect(inner).toMatchObject({ isInner: true })
    return inner.findOne({ ...session, where: [byToken('t1')] })
  })
  expect(found).toEqual({ token: 't1' })
  expect(adapter.id).toBe('inner')
})
