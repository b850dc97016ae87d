import { expect, test } from 'vitest'
import type { Blobs } from '../storage/blobs/port.ts'
import type { EventStore, RemoveSelector } from '../storage/events/port.ts'
import { deleteUnnamedBlobs } from './delete-unnamed-blobs.ts'
import { dropOldDays } from './drop-old-days.ts'

/** Stores that write down what they are asked, in order. */
function recordedStores(unnamed: readonly string[] = []) {
  const asked: string[] = []
  const selectors: RemoveSelector[] = []
  let left = [...unnamed]
  const events = {
    remove: async (selector: RemoveSelector) => {
      selectors.push(selector)
      asked.push('remove')
      return 0
    },
    unnamedBlobs: async () => left,
    forgetBlobs: async (keys: readonly string[]) => {
      asked.push(...keys.map((key) => `forget ${key}`))
      left = left.filter((key) => !keys.includes(key))
    },
  } as unknown as EventStore
  const blobs = {
    delete: async (key: string) => {
      asked.push(`delete ${key}`)
    },
  } as unknown as Blobs
  return { asked, selectors, events, blobs }
}

test.each([
  ['2026-11-22T00:00:00.000Z', 90, '2026-08-24T00:00:00.000Z'],
  ['2026-11-22T23:59:59.999Z', 90, '2026-08-24T00:00:00.000Z'],
  ['2026-11-22T12:00:00.000Z', 1, '2026-11-21T00:00:00.000Z'],
])('at %s, of %i days to keep, what came before %s goes', async (now, retentionDays, before) => {
  const stores = recordedStores()
  await dropOldDays(stores, { now: Date.parse(now), retentionDays })
  expect(stores.selectors).toMatchObject([{ type: 'before', day: Date.parse(before) }])
})

test('rows go before the blobs that they name', async () => {
  const stores = recordedStores(['a'])
  await dropOldDays(stores, { now: Date.now(), retentionDays: 90 })
  expect(stores.asked).toEqual(['remove', 'delete a', 'forget a'])
})

test('a blob is forgotten only after it was deleted, so a crash in between loses no name', async () => {
  const stores = recordedStores(['a', 'b'])
  expect(await deleteUnnamedBlobs(stores)).toBe(2)
  expect(stores.asked).toEqual(['delete a', 'delete b', 'forget a', 'forget b'])
  const failing = recordedStores(['a'])
  failing.blobs.delete = () => Promise.reject(new Error('killed'))
  await expect(deleteUnnamedBlobs(failing)).rejects.toThrow('killed')
  expect(failing.asked).toEqual([])
})
