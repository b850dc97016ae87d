import { expect, it } from 'vitest'
import type { MetadataReader } from '../storage/metadata/port.ts'
import { pollProjectKeys } from './project-keys.ts'

interface Row {
  readonly public_key: string
  readonly project_id: number
  readonly is_active: number
}

function metadataOf(read: () => Row[]): MetadataReader {
  return { all: async <T>() => read() as T[] }
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
