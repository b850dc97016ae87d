import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ApiServer, errorItem, openApiServer, testNow } from '../testing/api-server.ts'

const releases = '/organizations/main/releases/'
const released = new Date(testNow).toISOString()

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

const post = (path: string, body: unknown) => server.ask(path, { method: 'POST', body })

test('a release is announced, announced again, and takes its facts', async () => {
  const body = { version: 'shop@1.0.0', projects: ['store'] }
  expect((await post(releases, body)).status).toBe(201)
  expect((await post(releases, body)).status).toBe(208)
  expect((await post('/projects/main/store/releases/', { version: 'shop@1.1.0' })).status).toBe(201)
  const change = {
    method: 'PUT',
    body: { dateReleased: released, ref: 'abc', url: 'https://x.y/' },
  }
  expect(await server.json(`${releases}shop%401.0.0/`, change)).toMatchObject({
    version: 'shop@1.0.0',
    shortVersion: '1.0.0',
    dateReleased: released,
    ref: 'abc',
    projects: [{ slug: 'store' }],
  })
  expect(await server.json(`${releases}shop@1.0.0/`)).toMatchObject({ url: 'https://x.y/' })
  expect(await server.json(`${releases}?query=1.1`)).toMatchObject([{ version: 'shop@1.1.0' }])
  expect((await server.ask(`${releases}none/`)).status).toBe(404)
})

test('a release that events brought has its first and last event and its new issues', async () => {
  await server.store([errorItem(1, { release: '2.0.0', timestamp: testNow - 1000 })])
  expect(await server.json('/projects/main/store/releases/2.0.0/')).toMatchObject({
    firstEvent: new Date(testNow - 1000).toISOString(),
    newGroups: 1,
  })
})

test('a version with a slash has an address', async () => {
  await post(releases, { version: 'feature/cart', projects: [1] })
  expect(await server.json(`${releases}feature%2Fcart/`)).toMatchObject({ version: 'feature/cart' })
})

test('deploys', async () => {
  await post(releases, { version: '1.0.0', projects: ['store'] })
  const path = `${releases}1.0.0/deploys/`
  expect((await post(path, { environment: 'production', dateFinished: released })).status).toBe(201)
  expect(await server.json(path)).toMatchObject([{ environment: 'production' }])
  expect(await server.json(`${releases}1.0.0/`)).toMatchObject({ deployCount: 1 })
  expect((await post(path, {})).status).toBe(400)
  const bare = {
    environment: 'staging',
    name: null,
    url: null,
    dateStarted: null,
    dateFinished: null,
  }
  expect((await post(path, bare)).status).toBe(201)
})

test('null is "not given" in every member of a body', async () => {
  const nothing = { ref: null, url: null, dateReleased: null }
  expect((await post(releases, { version: '1.0.0', projects: ['store'], ...nothing })).status).toBe(
    201,
  )
  const put = { method: 'PUT', body: nothing }
  expect((await server.ask(`${releases}1.0.0/`, put)).status).toBe(200)
  const project = { method: 'PUT', body: { name: null, slug: null, platform: null } }
  expect((await server.ask('/projects/main/store/', project)).status).toBe(200)
  const noProject = await post(releases, { version: '1.0.1', projects: null })
  expect(await noProject.json()).toEqual({ detail: 'projects: is required' })
})

test('a page of releases asks the store as often as one release', async () => {
  const asked = async (): Promise<number> => {
    const all = vi.spyOn(server.metadata, 'all')
    await server.json(releases)
    const { length } = all.mock.calls
    all.mockRestore()
    return length
  }
  await post(releases, { version: '1.0.0', projects: ['store'] })
  const ofOne = await asked()
  for (const version of ['1.1.0', '1.2.0', '1.3.0']) {
    await post(releases, { version, projects: ['store'] })
    await post(`${releases}${version}/deploys/`, { environment: version, dateFinished: released })
  }
  expect(await asked()).toBe(ofOne)
  const listed = await server.json<{ lastDeploy: { environment: string } | null }[]>(releases)
  expect(listed.map(({ lastDeploy }) => lastDeploy?.environment ?? null).sort()).toEqual(
    ['1.1.0', '1.2.0', '1.3.0', null].sort(),
  )
})

test('other requests of tools on the way are answered', async () => {
  expect(await server.json('/organizations/main/repos/?cursor=')).toEqual([])
  expect(await server.json(`${releases}1.0.0/previous-with-commits/`)).toEqual({})
})

test.each([
  [{}, /^version: is required/],
  [{ version: 'latest', projects: ['store'] }, /^version/],
  [{ version: 'a\u0007b', projects: ['store'] }, /^version/],
  [{ version: '1.0.0' }, /^projects: is required/],
  [{ version: '1.0.0', projects: ['none'] }, /^projects: there is no "none"/],
  [{ version: '1.0.0', projects: 'store' }, /^projects/],
  [{ version: '1.0.0', projects: ['store'], dateReleased: 'soon' }, /^dateReleased/],
])('refuses %j', async (body, detail) => {
  const response = await post(releases, body)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) })
})
