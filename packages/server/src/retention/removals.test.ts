import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Blobs } from '../storage/blobs/port.ts'
import type { EventStore, RemoveSelector } from '../storage/events/port.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import {
  applyRemovals,
  isRemovalRequested,
  replaysToBeRemoved,
  requestRemoval,
} from './removals.ts'

let metadata: SqliteMetadata
beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
})
afterEach(() => metadata.close())

const replay = (replayId: string): RemoveSelector => ({ type: 'replay', projectId: 1, replayId })
const event: RemoveSelector = { type: 'event', projectId: 1, eventId: 'e' }

/** Stores that write down in order what they are told to remove and delete. */
function recordedStores(remove: (selector: RemoveSelector) => Promise<void> = async () => {}) {
  const asked: string[] = []
  const unnamed = ['left behind']
  const events = {
    remove: async (selector: RemoveSelector) => {
      asked.push(JSON.stringify(selector))
      await remove(selector)
      return 1
    },
    unnamedBlobs: async () => unnamed.splice(0),
    forgetBlobs: async () => {},
  } as unknown as EventStore
  const blobs = { delete: async (key: string) => void asked.push(key) } as unknown as Blobs
  return { asked, metadata, events, blobs }
}

test('a request for removal is kept until it is done, then forgotten', async () => {
  await requestRemoval(metadata, replay('a'), 5)
  await requestRemoval(metadata, event, 6)
  expect(await metadata.all('select requested_at from removals order by id')).toEqual([
    { requested_at: 5 },
    { requested_at: 6 },
  ])
  expect(await isRemovalRequested(metadata, replay('a'))).toBe(true)
  expect(await isRemovalRequested(metadata, replay('b'))).toBe(false)
  expect(await replaysToBeRemoved(metadata)).toEqual(['a'])
  const stores = recordedStores()
  expect(await applyRemovals(stores)).toBe(2)
  expect(stores.asked).toEqual([JSON.stringify(replay('a')), JSON.stringify(event), 'left behind'])
  expect(await replaysToBeRemoved(metadata)).toEqual([])
  expect(await isRemovalRequested(metadata, event)).toBe(false)
})

test('one that fails is asked for again, with those behind it', async () => {
  for (const id of ['a', 'b', 'c']) await requestRemoval(metadata, replay(id), 0)
  const stores = recordedStores(async (selector) => {
    if (selector.type === 'replay' && selector.replayId === 'b') throw new Error('disk')
  })
  await expect(applyRemovals(stores)).rejects.toThrow('disk')
  expect(await replaysToBeRemoved(metadata)).toEqual(['b', 'c'])
})

test('twenty are done by one call, oldest first', async () => {
  for (let index = 0; index < 25; index += 1) {
    await requestRemoval(metadata, replay(`r${index}`), index)
  }
  expect(await applyRemovals(recordedStores())).toBe(20)
  expect(await replaysToBeRemoved(metadata)).toEqual(['r20', 'r21', 'r22', 'r23', 'r24'])
})
