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
