import type { ApiProject } from '@afterimage/protocol/api/organization'
import type { ApiIssueOverview } from '@afterimage/protocol/api/stats'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProject, selfProjectId } from '../projects/projects.ts'
import { type ApiServer, errorItem, openApiServer, testNow } from '../testing/api-server.ts'
import { createApi } from '../api/index.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

test('the project that the console reports to stands last, and counts only where it is named', async () => {
  const project = { slug: 'afterimage', name: 'Afterimage itself', platform: null }
  await createProject(
    server.metadata,
    { baseUrl: 'https://a.example' },
    {
      ...project,
      id: selfProjectId,
    },
  )
  const projects = await server.json<ApiProject[]>('/organizations/main/projects/')
  expect(projects.length).toBeGreaterThan(1)
  expect(projects.at(-1)).toMatchObject({ slug: 'afterimage', id: String(selfProjectId) })

  await server.store([errorItem(1, { hashes: ['a'], title: 'Own', timestamp: testNow - 1000 })], {
    projectId: selfProjectId,
  })
  const count = async (query: string) =>
    (await server.json<unknown[]>(`/organizations/main/issues/?${query}`)).length
  expect(await count('')).toBe(0)
  expect(await count('project=-1')).toBe(1)
  expect(await count('project=afterimage')).toBe(1)

  // Alone on a new server it counts no more than beside others.
  await server.metadata.all('delete from projects where id <> ?', selfProjectId)
  const eventsOf = async (query: string) =>
    (await server.json<ApiIssueOverview>(`/organizations/main/issue-overview/?${query}`)).events
  expect([await count(''), await eventsOf('')]).toEqual([0, 0])
  expect([await count('project=-1'), await eventsOf('project=-1')]).toEqual([1, 1])
})

test('documents made at build time are told by a script, which is empty when there is nothing to tell', async () => {
  const path = 'http://localhost/api/0/self-monitoring/'
  const silent = await server.handle(new Request(path))
  expect([silent.status, await silent.text()]).toEqual([200, ''])

  const selfMonitoring = {
    dsn: 'https://key@a.example/1',
    tunnelPath: '/monitoring',
    release: 'afterimage@1.0.0',
    environment: 'production',
  }
  const { metadata, events, blobs, auth } = server
  const config = { baseUrl: 'https://a.example', tunnelPath: '/monitoring' }
  const api = createApi({
    metadata,
    events,
    blobs,
    auth,
    config,
    secretKey: 's'.repeat(32),
    selfMonitoring,
  })
  const answer = await api(new Request(path))
  expect(answer.headers.get('content-type')).toContain('text/javascript')
  const told: string[] = []
  const root = { setAttribute: (...values: string[]) => told.push(...values) }
  // oxlint-disable-next-line no-new-func -- it is a script, and this is what browsers do with it
  new Function('document', await answer.text())({ documentElement: root })
  expect(told[0]).toBe('data-afterimage-self')
  expect(JSON.parse(told[1] ?? '')).toEqual(selfMonitoring)
})
