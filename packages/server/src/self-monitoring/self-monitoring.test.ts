import { afterEach, beforeEach, expect, test } from 'vitest'
import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { readConfig, type Config } from '../config.ts'
import { readEnv } from '../env.ts'
import { createProject, listProjects } from '../projects/projects.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { prepareSelfMonitoring } from './self-monitoring.ts'

const production = { isDevelopment: false }

let metadata: SqliteMetadata
beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
})
afterEach(() => metadata.close())

function configOf(variables: Record<string, string> = {}): Config {
  return readConfig(readEnv({ AFTERIMAGE_BASE_URL: 'https://errors.example', ...variables }), '/')
}

test('the first start makes the project and its key, a second finds them', async () => {
  const config = configOf({ PORT: '9100', AFTERIMAGE_TUNNEL_PATH: '/reports' })
  const first = await prepareSelfMonitoring(config, metadata, production)
  expect(first).toMatchObject({
    tunnelPath: '/reports',
    release: expect.stringMatching(/^afterimage@\d+\.\d+\.\d+/),
    environment: 'production',
    server: 'http://127.0.0.1:9100',
  })
  expect(await prepareSelfMonitoring(config, metadata, production)).toEqual(first)
  const [project] = await listProjects(metadata, config)
  expect(project).toMatchObject({ slug: selfProjectSlug, dsn: first?.dsn })
})

test('ids of the projects of people begin with 1 all the same', async () => {
  const config = configOf()
  await prepareSelfMonitoring(config, metadata, production)
  const web = await createProject(metadata, config, { slug: 'web', name: 'Web', platform: null })
  const shop = await createProject(metadata, config, { slug: 'shop', name: 'S', platform: null })
  expect([web.id, shop.id]).toEqual(['1', '2'])
})

test('switched off, nothing is made and nothing is handed over', async () => {
  const config = configOf({ AFTERIMAGE_SELF_MONITORING: 'off' })
  expect(await prepareSelfMonitoring(config, metadata, production)).toBeNull()
  expect(await listProjects(metadata, config)).toEqual([])
})

test('a project whose keys are all paused stays silent; one without keys gets one', async () => {
  const config = configOf()
  await prepareSelfMonitoring(config, metadata, production)
  await metadata.all('update project_keys set is_active = 0')
  expect(await prepareSelfMonitoring(config, metadata, production)).toBeNull()
  await metadata.all('delete from project_keys')
  expect(await prepareSelfMonitoring(config, metadata, production)).not.toBeNull()
})

test('an id that is taken does not prevent the start', async () => {
  const config = configOf()
  await prepareSelfMonitoring(config, metadata, production)
  const [made] = await listProjects(metadata, config)
  await metadata.all('delete from projects')
  await createProject(metadata, config, {
    slug: 'imported',
    name: 'Imported',
    platform: null,
    id: Number(made?.id),
  })
  const again = await prepareSelfMonitoring(config, metadata, production)
  expect(again?.dsn).toMatch(/\/\d+$/)
  expect((await listProjects(metadata, config)).map(({ slug }) => slug)).toEqual([
    'afterimage',
    'imported',
  ])
})

test.each([
  ['0.0.0.0', 'http://127.0.0.1:9000'],
  ['::1', 'http://[::1]:9000'],
])('bound to %s, the front door is reached at %s', async (HOST, server) => {
  const config = configOf({ HOST })
  expect(await prepareSelfMonitoring(config, metadata, production)).toMatchObject({ server })
})

test('with the roles on different machines, reports go to the public address', async () => {
  const config = configOf({ AFTERIMAGE_WEB_URL: 'http://web.internal:9001' })
  expect(await prepareSelfMonitoring(config, metadata, production)).toMatchObject({
    server: 'https://errors.example',
  })
})

test('a switch that is neither on nor off is refused by name', () => {
  expect(() => configOf({ AFTERIMAGE_SELF_MONITORING: 'maybe' })).toThrow(
    /AFTERIMAGE_SELF_MONITORING: "maybe" is neither on nor off/,
  )
})
