import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ApiServer, errorItem, openApiServer, testNow } from '../../testing/api-server.ts'
import { storeThree } from '../../testing/three-issues.ts'

const stream = '/organizations/main/issues/'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

const titles = async (query: string) =>
  (await server.json<ApiIssue[]>(`${stream}?${query}`)).map((issue) => issue.title)

describe('the issue stream', () => {
  test('answers issues with the numbers of the range, newest change first', async () => {
    await storeThree(server)
    const response = await server.ask(`${stream}?statsPeriod=14d&query=is:unresolved`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-hits')).toBe('3')
    const issues = (await response.json()) as ApiIssue[]
    expect(issues.map((issue) => issue.title)).toEqual(['Fresh', 'Staging', 'Old'])
    expect(issues[2]).toMatchObject({
      shortId: 'STORE-1',
      count: '2',
      userCount: 2,
      replayCount: 1,
      substatus: 'ongoing',
      firstRelease: { version: '1.0.0' },
      lastRelease: { version: '1.1.0' },
      project: { slug: 'store' },
    })
    expect(issues[0]?.substatus).toBe('new')
    const hours = issues[2]?.stats['24h'] ?? []
    expect(hours.reduce((sum, [, count]) => sum + count, 0)).toBe(1)
    expect(hours.length).toBeGreaterThanOrEqual(24)
  })

  test.each([
    ['query=level:fatal', ['Fresh']],
    ['query=!level:fatal&sort=new', ['Staging', 'Old']],
    ['query=browser:Safari', ['Old']],
    ['query=browser:"Chrome 126"', ['Old']],
    ['query=cart:full', ['Old']],
    ['query=cart:*u*', ['Old']],
    ['query=has:replay', ['Old']],
    ['query=release:1.0.0', ['Old']],
    ['query=user.id:2', ['Old']],
    ['query=timesSeen:>1', ['Old']],
    ['query=timesSeen:1&sort=date', ['Fresh', 'Staging']],
    ['query=firstSeen:-1d&sort=date', ['Fresh', 'Staging']],
    ['query=lastSeen:<2026-02-28', []],
    ['query=fres', ['Fresh']],
    ['query="a b"', []],
    ['query=is:new&sort=date', ['Fresh', 'Staging']],
    ['query=is:ongoing', ['Old']],
    ['query=is:resolved', []],
    ['query=issue:STORE-1', ['Old']],
    ['query=error.type:TypeError level:fatal', ['Fresh']],
    ['query=has:nothing', []],
    ['environment=staging', ['Staging']],
    ['environment=production&sort=freq', ['Old', 'Fresh']],
    ['sort=user&limit=1', ['Old']],
    ['sort=freq&statsPeriod=1h', ['Fresh']],
    ['start=2026-02-01T00:00:00&end=2026-02-20T00:00:00', ['Old']],
  ])('%s finds %j', async (query, expected) => {
    await storeThree(server)
    expect(await titles(query)).toEqual(expected)
  })

  test('pages forth and back by the Link header, stable while events arrive', async () => {
    for (let number = 1; number <= 5; number += 1) {
      await server.store([
        errorItem(number, {
          hashes: [`h${number}`],
          title: `T${number}`,
          timestamp: testNow - number * 1000,
        }),
      ])
    }
    const first = await server.ask(`${stream}?sort=date&limit=2`)
    const links = first.headers.get('link') ?? ''
    expect(links).toMatch(/rel="previous"; results="false"/)
    expect(links).toMatch(
      /^<http:\/\/localhost:9000\/api\/0\/organizations\/main\/issues\/\?sort=date&/,
    )
    const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(links)?.[1] ?? ''
    await server.store([errorItem(9, { hashes: ['h9'], title: 'T9', timestamp: testNow })])
    const second = await server.ask(`${stream}?sort=date&limit=2&cursor=${next}`)
    expect(((await second.json()) as ApiIssue[]).map((it) => it.title)).toEqual(['T3', 'T4'])
    const back = /rel="previous"; results="true"; cursor="([^"]+)"/.exec(
      second.headers.get('link') ?? '',
    )?.[1]
    expect(await titles(`sort=date&limit=2&cursor=${back}`)).toEqual(['T1', 'T2'])
  })

  test.each([
    ['query=level:', /^query: .*character 7/],
    ['query=is:nonsense', /^query: "is:nonsense"/],
    ['query="open', /^query: the quote/],
    ['sort=magic', /^sort: must be one of/],
    ['statsPeriod=soon', /^statsPeriod/],
    ['start=yesterday', /^start/],
    ['limit=zero', /^limit/],
    ['project=none', /^project/],
    ['groupStatsPeriod=x', /^groupStatsPeriod/],
  ])('refuses %s and says why', async (query, detail) => {
    const response = await server.ask(`${stream}?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) })
  })

  test('percent signs, underscores and backslashes of a search are only themselves', async () => {
    const named = ['100% sure', '100 sure', 'a_b', 'axb', String.raw`c\d`, 'cd']
    await server.store(
      named.map((title, index) => errorItem(index + 1, { hashes: [`t${index}`], title })),
    )
    expect(await titles('query="100%25"')).toEqual(['100% sure'])
    expect(await titles('query=a_b')).toEqual(['a_b'])
    expect(await titles(`query=${encodeURIComponent(String.raw`"c\\d"`)}`)).toEqual([
      String.raw`c\d`,
    ])
  })

  test('reading the stream writes nothing', async () => {
    await storeThree(server)
    await server.metadata.all(
      "update issues set status = 'ignored', archived_until = 1 where title = 'Old'",
    )
    const before = await server.metadata.all('select * from issues')
    await titles('query=is:unresolved')
    expect(await server.metadata.all('select * from issues')).toEqual(before)
  })

  test('the form with a project shows only its issues', async () => {
    await storeThree(server)
    expect(await server.json('/projects/main/store/issues/')).toHaveLength(3)
    expect((await server.ask('/projects/main/other/issues/')).status).toBe(404)
    expect((await server.ask('/organizations/other/issues/')).status).toBe(404)
  })
})
