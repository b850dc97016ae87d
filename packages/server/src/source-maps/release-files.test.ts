import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiServer, openApiServer } from '../testing/api-server.ts'
import { findArtifacts } from './artifacts.ts'

const inProject = '/projects/main/store/releases/shop%401.0.0/files/'
const inOrganization = '/organizations/main/releases/shop%401.0.0/files/'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

function send(path: string, name: string, content: string, more: Record<string, string> = {}) {
  const body = new FormData()
  body.append('file', new File([content], 'upload'))
  body.append('name', name)
  for (const [field, value] of Object.entries(more)) body.append(field, value)
  return server.ask(path, { method: 'POST', body })
}

const find = (dist: string | null) =>
  findArtifacts(server.metadata, {
    projectId: 1,
    debugId: null,
    release: 'shop@1.0.0',
    dist,
    url: 'https://shop.example/js/a.js',
  })

test('files sent one by one are found by release and url', async () => {
  const header = { header: 'Sourcemap: ../maps/a.map' }
  const sent = await send(inProject, '~/js/a.js', 'a()', header)
  expect(sent.status).toBe(201)
  expect(await sent.json()).toMatchObject({
    name: '~/js/a.js',
    headers: { Sourcemap: '../maps/a.map' },
    size: 3,
    dist: null,
  })
  expect((await send(inOrganization, '~/maps/a.map', '{}')).status).toBe(201)
  expect(await find(null)).toMatchObject({
    minified: { url: '~/js/a.js' },
    sourceMap: { url: '~/maps/a.map' },
    resolvedWith: 'release-old',
  })
})

test('a name is taken once for each dist', async () => {
  expect((await send(inProject, '~/js/a.js', 'a()', { dist: '7' })).status).toBe(201)
  expect((await send(inProject, '~/js/a.js', 'b()', { dist: '7' })).status).toBe(409)
  expect((await send(inProject, '~/js/a.js', 'b()')).status).toBe(201)
  expect(await find('7')).toMatchObject({ minified: { bytes: 3 } })
})

test('files are listed, shown and deleted in both families', async () => {
  await send(inProject, '~/a.js', 'a()')
  await send(inProject, '~/b.js', 'b()')
  const listed = await server.json<{ id: string; name: string }[]>(inOrganization)
  expect(listed.map(({ name }) => name)).toEqual(['~/a.js', '~/b.js'])
  const one = `${inOrganization}${listed[0]?.id}/`
  expect(await server.json(one)).toEqual(listed[0])
  expect((await server.ask(one, { method: 'DELETE' })).status).toBe(204)
  expect((await server.ask(one)).status).toBe(404)
  expect(await server.json<unknown[]>(inProject)).toHaveLength(1)
  const last = `${inProject}${listed[1]?.id}/`
  await server.ask(last, { method: 'DELETE' })
  expect(await server.json('/projects/main/store/files/artifact-bundles/')).toEqual([])
})

test('a body without a form or a file is refused, and so is a release of no valid name', async () => {
  expect((await server.ask(inProject, { method: 'POST', body: '{}' })).status).toBe(400)
  expect((await server.ask(inProject, { method: 'POST', body: new FormData() })).status).toBe(400)
  expect((await send(inProject, 'x'.repeat(3000), '')).status).toBe(400)
  expect((await send('/projects/main/store/releases/latest/files/', '~/a', '')).status).toBe(400)
  const unknown = '/organizations/main/releases/unknown/files/'
  expect((await server.ask(unknown)).status).toBe(404)
  expect((await send(unknown, '~/a.js', '')).status).toBe(404)
})
