import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { eventEnvelope, startFrontDoor } from '../front-door/front-door.fixture.ts'
import { createProject } from '../projects/projects.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import { openSqliteMetadata } from '../storage/metadata/sqlite.ts'
import { pollProjectKeys } from './project-keys.ts'

interface Row {
  readonly public_key: string
  readonly project_id: number
  readonly is_active: number
}

/** Answers the question for all keys, and that for one of them. */
function metadataOf(read: () => Row[]): MetadataReader & { readonly questions: unknown[][] } {
  const questions: unknown[][] = []
  return {
    questions,
    all: async <T>(_: string, ...parameters: unknown[]) => {
      questions.push(parameters)
      const [asked] = parameters
      return read().filter((row) => asked === undefined || row.public_key === asked) as T[]
    },
  }
}

it('knows a new key, and forgets an old one, within a second', async () => {
  let rows: Row[] = [{ public_key: 'a', project_id: 1, is_active: 1 }]
  const keys = await pollProjectKeys(
    metadataOf(() => rows),
    () => {},
  )
  expect(keys.find('a')).toEqual({ projectId: 1, isActive: true })
  expect(keys.find('b')).toBeNull()
  const changedAt = Date.now()
  rows = [{ public_key: 'b', project_id: 2, is_active: 0 }]
  await expect
    .poll(() => keys.find('b'), { timeout: 2000 })
    .toEqual({ projectId: 2, isActive: false })
  expect(Date.now() - changedAt).toBeLessThan(1000)
  expect(keys.find('a')).toBeNull()
  keys.close()
})

it('goes on with what it knows while the database fails, and says so', async () => {
  let isBroken = false
  const failures: unknown[] = []
  const metadata = metadataOf(() => {
    if (isBroken) throw new Error('locked')
    return [{ public_key: 'a', project_id: 1, is_active: 1 }]
  })
  const keys = await pollProjectKeys(metadata, (cause) => failures.push(cause))
  isBroken = true
  await expect.poll(() => failures.length, { timeout: 2000 }).toBe(1)
  expect(keys.find('a')).not.toBeNull()
  keys.close()
})

it('does not start without a first reading', async () => {
  const metadata = metadataOf(() => {
    throw new Error('no such table')
  })
  await expect(pollProjectKeys(metadata, () => {})).rejects.toThrow('no such table')
})

it('knows a key that was just made as soon as it is asked for, and asks for a stranger once', async () => {
  const rows: Row[] = [{ public_key: 'a', project_id: 1, is_active: 1 }]
  const metadata = metadataOf(() => rows)
  const keys = await pollProjectKeys(metadata, () => {})
  rows.push({ public_key: 'b', project_id: 2, is_active: 1 })
  expect(keys.learn('a')).toBeNull()
  await Promise.all([keys.learn('b'), keys.learn('b')])
  expect(keys.find('b')).toEqual({ projectId: 2, isActive: true })
  for (let time = 0; time < 50; time++) await keys.learn('stranger')
  expect(keys.find('stranger')).toBeNull()
  expect(metadata.questions).toEqual([[], ['b'], ['stranger']])
  keys.close()
})

it('asks for a bounded number of strangers between two readings', async () => {
  const metadata = metadataOf(() => [])
  const keys = await pollProjectKeys(metadata, () => {})
  const learned = Array.from({ length: 5000 }, (_, index) => keys.learn(`stranger ${index}`))
  await Promise.all(learned.filter((it) => it !== null))
  expect(metadata.questions.length).toBeLessThanOrEqual(1 + 1000)
  keys.close()
})

it('calls nobody a stranger when the store cannot be asked', async () => {
  let isBroken = false
  const metadata = metadataOf(() => {
    if (isBroken) throw new Error('locked')
    return []
  })
  const keys = await pollProjectKeys(metadata, () => {})
  isBroken = true
  await expect(keys.learn('b')).rejects.toThrow('locked')
  keys.close()
})

it('the first envelope of a project made a moment ago is accepted, direct and tunnelled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'new-keys-'))
  const metadata = await openSqliteMetadata({ file: join(folder, 'metadata.db') })
  const keys = await pollProjectKeys(metadata, () => {})
  // No reading but the first: the keys are learned when they are asked for.
  keys.close()
  const door = await startFrontDoor({ storedKeys: keys })
  const paths: ((id: string, key: string) => string)[] = [
    (id, key) => `/api/${id}/envelope/?sentry_key=${key}`,
    (id) => `/api/${id}/envelope/`,
    (id) => `/monitoring?o=1&p=${id}`,
    (id, key) => `/api/${id}/store/?sentry_key=${key}`,
  ]
  for (const [index, pathOf] of paths.entries()) {
    const { id, dsn } = await createProject(
      metadata,
      { baseUrl: door.url },
      { slug: `shop-${index}`, name: 'Shop', platform: null },
    )
    const path = pathOf(id, new URL(dsn).username)
    const body = path.includes('store') ? '{"message":"hello"}' : eventEnvelope({ dsn })
    const answer = await door.send(path, { body })
    expect([path, answer.status]).toEqual([path, 200])
  }
  await door.close()
  await metadata.close()
  rmSync(folder, { recursive: true })
})
