import { array, assert, asyncProperty, constantFrom, oneof, string, tuple } from 'fast-check'
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
]

const term = tuple(
  constantFrom('', '!'),
  constantFrom(...keys),
  oneof(constantFrom(...values), string({ unit: 'binary', maxLength: 12 })),
).map(([not, key, value]) => `${not}${key}:${value}`)
const search = array(oneof(term, string({ unit: 'binary', maxLength: 20 })), { maxLength: 5 }).map(
  (terms) => terms.join(' '),
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

test('whatever stands for a cursor, a page is answered', async () => {
  const isAnswered = asyncProperty(string({ unit: 'binary', maxLength: 60 }), async (cursor) => {
    const query = `cursor=${encodeURIComponent(cursor.toWellFormed())}`
    for (const path of ['/organizations/main/issues/', '/organizations/main/replays/']) {
      expect((await server.ask(`${path}?${query}`)).status).toBe(200)
    }
  })
  await assert(isAnswered, { numRuns: 50 })
})
