import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  string,
  tuple,
} from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiServer, errorItem, openApiServer } from '../testing/api-server.ts'

let server: ApiServer
beforeAll(async () => {
  server = await openApiServer()
  await server.store([errorItem(1, { tags: { cart: 'full' } })])
})
afterAll(() => server.close())

const keys = [
  'is',
  'level',
  'release',
  'has',
  'user.id',
  'user.email',
  'timesSeen',
  'firstSeen',
  'lastSeen',
  'assigned',
  'bookmarks',
  'error.unhandled',
  'error.type',
  'browser',
  'issue',
  'cart',
  'duration',
  'count_errors',
  'url',
  'timestamp',
  'message',
  'error.value',
  'user.username',
  'release.version',
  'project',
  'issue.category',
  'tags[cart]',
]
const values = [
  'unresolved',
  'me',
  'none',
  '5',
  '>5',
  '<=2026-01-01',
  '-7d',
  '*a*',
  '[a,b]',
  '""',
  '"',
  'latest',
  '1.0',
  'store',
  ') OR (x',
  'a OR is:new',
]

const term = tuple(
  constantFrom('', '!'),
  constantFrom(...keys),
  oneof(constantFrom(...values), string({ unit: 'binary', maxLength: 12 })),
).map(([not, key, value]) => `${not}${key}:${value}`)
const search = array(oneof(term, string({ unit: 'binary', maxLength: 20 })), { maxLength: 5 }).map(
  (terms) => terms.join(' '),
)

/** Anything, and what has the form of a cursor but no meaning. */
const cursors = oneof(
  string({ unit: 'binary', maxLength: 60 }),
  array(jsonValue(), { maxLength: 4 }).map((it) =>
    Buffer.from(JSON.stringify(it)).toString('base64url'),
  ),
  tuple(string({ maxLength: 8 }), nat(), nat(2)).map((parts) => parts.join(':')),
)

test.each([
  '/organizations/main/issues/',
  '/organizations/main/replays/',
  '/organizations/main/traces/',
  '/organizations/main/transactions/',
  '/organizations/main/logs/',
  '/issues/STORE-1/events/',
])('whatever is searched for at %s, it is an answer or a refusal that says why', async (path) => {
  const isAnswered = asyncProperty(search, async (query) => {
    const response = await server.ask(`${path}?query=${encodeURIComponent(query.toWellFormed())}`)
    const body = (await response.json()) as { detail?: string }
    expect([200, 400]).toContain(response.status)
    if (response.status === 400) expect(body.detail).toMatch(/^query: ./)
  })
  await assert(isAnswered, { numRuns: 150 })
})

test('any text as a cursor gives a page, or is refused by name', async () => {
  const isAnswered = asyncProperty(cursors, async (cursor) => {
    const query = `cursor=${encodeURIComponent(cursor.toWellFormed())}`
    for (const path of ['/organizations/main/issues/', '/organizations/main/replays/']) {
      const response = await server.ask(`${path}?${query}`)
      expect([200, 400]).toContain(response.status)
      if (response.status === 200) continue
      expect(((await response.json()) as { detail: string }).detail).toMatch(/^cursor: ./)
    }
  })
  await assert(isAnswered, { numRuns: 50 })
})
