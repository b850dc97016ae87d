import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { type ApiServer, errorItem, openApiServer } from '../testing/api-server.ts'

let server: ApiServer
beforeAll(async () => {
  server = await openApiServer()
  await server.store([
    errorItem(1, { release: 'shop@2.14.0' }),
    errorItem(2, { release: 'shop@2.15.0' }),
    errorItem(3, { release: '0123456789abcdef0123456789abcdef01234567' }),
  ])
})
afterAll(() => server.close())

async function ask(path: string, query: string) {
  const response = await server.ask(`${path}?query=${encodeURIComponent(query)}`)
  const body = (await response.json()) as { detail: string; problems?: ApiSearchProblem[] }
  return {
    status: response.status,
    body,
    cut: body.problems?.map((it) => query.slice(it.from, it.to)),
  }
}

test('a refusal names every part of the search that means nothing', async () => {
  const { status, body, cut } = await ask(
    '/organizations/main/issues/',
    'level:eror is:unresolved timesSeen:many "x" environment:',
  )
  expect(status).toBe(400)
  expect(cut?.toSorted()).toEqual(['environment:', 'level:eror', 'timesSeen:many'])
  expect(body.detail).toBe(
    'query: there is no level "eror"; it is one of fatal, error, warning, info, debug (at character 1)',
  )
})

test('a level is known in any case, and as a pattern', async () => {
  for (const query of ['level:Error', 'level:err*', 'level:[error,fatal]', '!level:debug']) {
    expect([query, (await ask('/organizations/main/issues/', query)).status]).toEqual([query, 200])
  }
})

test('replays and traces name what is wrong too', async () => {
  expect((await ask('/organizations/main/replays/', 'nope:1 url:/a')).cut).toEqual(['nope:1'])
  expect((await ask('/organizations/main/traces/', 'op:x nope:1')).cut).toEqual(['nope:1'])
  expect((await ask('/issues/STORE-1/events/', 'level:eror')).cut).toEqual(['level:eror'])
})

async function found(query: string): Promise<number> {
  const path = `/organizations/main/issues/?query=${encodeURIComponent(query)}`
  return (await server.json<unknown[]>(path)).length
}

test('a release is found by what the rows call it', async () => {
  expect(await found('release:shop@2.14.0')).toBe(1)
  expect(await found('release:2.14.0')).toBe(1)
  expect(await found('release:"2.14.0"')).toBe(1)
  expect(await found('!release:2.14.0')).toBe(1)
  expect(await found('release:[2.14.0,9.9.9]')).toBe(1)
  expect(await found('release:2.1*')).toBe(1)
  expect(await found('release:01234567')).toBe(1)
  expect(await found('release:2.14')).toBe(0)
})

test('what cannot be is refused with its reason, never answered with an empty list', async () => {
  const path = '/organizations/main/issues/'
  const refused: readonly (readonly [query: string, reason: RegExp])[] = [
    ['is:unresolvd', /^query: "is:unresolvd" is not known; it is one of unresolved/],
    ['issue.category:eror', /there is no issue.category "eror"; it is one of error, feedback/],
    ['issue.priority:urgent', /it is one of high, medium, low/],
    ['event.type:eror', /there is no event.type "eror"/],
    ['error.unhandled:maybe', /there is no error.unhandled "maybe"; it is one of true, false/],
    ['project:shop', /there is no project "shop"/],
    ['project:afterimage', /there is no project|not among those that are shown/],
    ['assigned:nobody@example.com', /there is nobody called "nobody@example.com"/],
    ['release.version:>new', /"new" is not a version like 1.2.3/],
    ['event.timestamp:>soon', /needs a time like 2026-01-31/],
    ['(level:error', /the bracket that opens here is never closed \(at character 1\)/],
    ['level:error OR', /"OR" must stand between two terms \(at character 13\)/],
    ['is:new OR level:eror', /there is no level "eror".*\(at character 11\)/],
  ]
  for (const [query, reason] of refused) {
    const { status, body } = await ask(path, query)
    expect([query, status]).toEqual([query, 400])
    expect(body.detail, query).toMatch(reason)
  }
})
