import { describe, expect, test } from 'vitest'
import type { EventStore, ProcessedItem } from '../port.ts'
import { disposable } from './appends.ts'
import type { OpenStore } from './index.ts'
import { sampleEnvelope, sampleId, sampleItem, sampleRow } from './samples.ts'

const replayId = sampleId(77)

function segment(blobKey: string): ProcessedItem {
  const row = sampleRow('replaySegments', { replayId, segmentId: 0, blobKey })
  return sampleItem('replay_event', [row], { blobs: [{ key: blobKey, bytes: new Uint8Array(3) }] })
}

function attachment(name: string, blobKey = 'attachments/one'): ProcessedItem {
  const row = sampleRow('attachments', { eventId: sampleId(1), name, sha256: 'ff', blobKey })
  return sampleItem('attachment', [row], { blobs: [{ key: blobKey, bytes: new Uint8Array(3) }] })
}

async function blobKeyOf(store: EventStore): Promise<string | null | undefined> {
  return (await store.point('replaySegments', 1, [replayId, 0]))?.columns.blobKey
}

export function testUnnamedBlobs(open: OpenStore): void {
  describe('blobs that no row names', () => {
    test('the first sending of a segment is kept, and only the blob of the second is unnamed', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([segment('first')]), sampleEnvelope([segment('first')])])
      expect(await store.unnamedBlobs(9)).toEqual([])
      const other = sampleEnvelope([segment('second')])
      // The delivery comes again after a crash, and its blob was written again too.
      for (let again = 0; again < 2; again += 1) {
        await store.append([other])
        expect(await blobKeyOf(store)).toBe('first')
        expect(await store.unnamedBlobs(9)).toEqual(['second'])
        await store.forgetBlobs(['second'])
        expect(await store.unnamedBlobs(9)).toEqual([])
      }
    })

    test('a blob that another row names is kept, and one that a new row names is no longer unnamed', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([attachment('a.txt'), attachment('b.txt')])])
      await store.append([sampleEnvelope([attachment('a.txt')])])
      expect(await store.unnamedBlobs(9)).toEqual([])
      await store.remove({ type: 'event', projectId: 1, eventId: sampleId(1) })
      expect(await store.unnamedBlobs(9)).toEqual(['attachments/one'])
      await store.append([sampleEnvelope([attachment('a.txt')])])
      expect(await store.unnamedBlobs(9)).toEqual([])
    })

    test('they are listed in bounded steps', async () => {
      await using store = disposable(await open())
      const keys = Array.from({ length: 5 }, (_, index) => `attachments/${index}`)
      await store.append([sampleEnvelope(keys.map((key) => attachment(key, key)))])
      await store.remove({ type: 'project', projectId: 1 })
      const some = await store.unnamedBlobs(3)
      expect(some).toHaveLength(3)
      await store.forgetBlobs(some)
      expect([...some, ...(await store.unnamedBlobs(3))].toSorted()).toEqual(keys)
    })
  })
}
