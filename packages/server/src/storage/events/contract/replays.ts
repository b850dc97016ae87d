import { describe, expect, test } from 'vitest'
import type { EventStore } from '../port.ts'
import { disposable, outcomesOf } from './appends.ts'
import type { OpenStore } from './index.ts'
import { noon, sampleEnvelope, sampleError, sampleId, sampleSegment } from './samples.ts'

const replayId = sampleId(77)

const segments = [
  sampleSegment(
    replayId,
    0,
    {
      replayType: 'buffer',
      startedAt: noon - 20_000,
      firstEventAt: noon - 60_000,
      lastEventAt: noon - 15_000,
      urls: '["/a","/b"]',
      errorIds: JSON.stringify([sampleId(1)]),
      traceIds: '["t1"]',
      clicks: 2,
      recordingBytes: 100,
    },
    { timestamp: noon - 15_000 },
  ),
  sampleSegment(
    replayId,
    1,
    {
      replayType: 'session',
      startedAt: noon - 20_000,
      firstEventAt: noon - 15_000,
      lastEventAt: noon + 250,
      urls: '["/c"]',
      errorIds: JSON.stringify([sampleId(2)]),
      traceIds: '["t1","t2"]',
      rageClicks: 1,
      deadClicks: 3,
      warnings: 2,
      recordingBytes: 50,
      userKey: 'id:7',
      release: 'r2',
    },
    { timestamp: noon },
  ),
  sampleSegment(replayId, 2, { urls: 'no json', release: 'r3' }, { timestamp: noon + 100 }),
]
const errors = [1, 3].map((number) => sampleError({ eventId: sampleId(number), replayId }))

async function replayOf(store: EventStore): Promise<Record<string, unknown> | undefined> {
  return (await store.point('replays', 1, [replayId]))?.columns
}

export function testReplays(open: OpenStore): void {
  testDerivedReplays(open)
  testRemovedReplays(open)
}

function testDerivedReplays(open: OpenStore): void {
  describe('replays', () => {
    const expected = {
      replayType: 'buffer',
      startedAt: noon - 60_000,
      finishedAt: noon + 250,
      durationMs: 60_250,
      segmentCount: 3,
      recordingBytes: 150,
      errorCount: 3,
      warningCount: 2,
      infoCount: 0,
      urlCount: 3,
      clicks: 2,
      deadClicks: 3,
      rageClicks: 1,
      urls: '["/a","/b","/c"]',
      errorIds: JSON.stringify([sampleId(1), sampleId(2), sampleId(3)]),
      traceIds: '["t1","t2"]',
      release: 'r2',
      userKey: 'id:7',
      activity: 10,
    }

    test.each([
      ['in order', [0, 1, 2, 3, 4]],
      ['errors first', [3, 4, 0, 1, 2]],
      ['backwards', [4, 3, 2, 1, 0]],
      ['each twice', [1, 1, 4, 0, 2, 4, 3, 0, 2, 3]],
    ])('a replay is the same whatever the order: %s', async (_, order) => {
      await using store = disposable(await open())
      const items = [...segments, ...errors]
      for (const index of order) {
        const item = items[index]
        if (item !== undefined) await store.append([sampleEnvelope([item])])
      }
      expect(await replayOf(store)).toMatchObject(expected)
      const page = await store.page({ table: 'replays', projectIds: [1], where: [], limit: 9 })
      expect(page.rows).toHaveLength(1)
      expect(page.rows[0]?.timestamp).toBe(noon - 60_000)
    })

    test('a wrong clock moves a replay as a whole and does not stretch it', async () => {
      await using store = disposable(await open())
      const driftMs = 2 * 3_600_000
      const client = noon - driftMs
      const segment = (id: number) =>
        sampleSegment(
          replayId,
          id,
          {
            startedAt: client,
            firstEventAt: client + id * 5_000,
            lastEventAt: client + (id + 1) * 5_000,
            clientTimestamp: client + (id + 1) * 5_000,
          },
          { timestamp: noon + (id + 1) * 5_000 },
        )
      for (const id of [2, 0, 1]) await store.append([sampleEnvelope([segment(id)])])
      expect(await replayOf(store)).toMatchObject({
        startedAt: noon,
        finishedAt: noon + 15_000,
        durationMs: 15_000,
      })
    })

    test('errors alone make no replay', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope(errors)])
      expect(await replayOf(store)).toBeUndefined()
    })
  })
}

function testRemovedReplays(open: OpenStore): void {
  describe('replays', () => {
    test('a removed replay is gone with its blobs, and refuses later segments', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([...segments.slice(0, 2), ...errors])])
      expect(await store.remove({ type: 'replay', projectId: 1, replayId })).toBe(2)
      const keys = [0, 1, 2].map((n) => `replays/1/${replayId}/${n}`)
      expect(await store.unnamedBlobs(9)).toEqual(keys.slice(0, 2))
      await store.forgetBlobs(keys.slice(0, 2))
      expect(await replayOf(store)).toBeUndefined()
      expect((await store.point('errors', 1, [sampleId(1)]))?.columns.replayId).toBe(replayId)

      const late = segments[2]
      if (late === undefined) throw new Error('three segments')
      const recording = { ...late, type: 'replay_recording', rows: [], blobs: [], identity: 'x:2' }
      const envelope = sampleEnvelope([late, recording])
      for (let again = 0; again < 2; again += 1) {
        // The delivery comes again after a crash, and its blob was written again too.
        await store.append([envelope])
        expect(await store.unnamedBlobs(9)).toEqual(keys.slice(2))
        await store.forgetBlobs(keys)
      }
      expect(await replayOf(store)).toBeUndefined()
      expect(await store.point('replaySegments', 1, [replayId, 2])).toBeNull()
      expect(await outcomesOf(store)).toEqual([
        ['event', 'accepted', null, 2, 2],
        ['replay_event', 'accepted', null, 2, 2],
        ['replay_event', 'filtered', 'replay_removed', 1, 1],
        ['replay_recording', 'filtered', 'replay_removed', 1, 1],
      ])
      // The same id in another project is another replay.
      await store.append([sampleEnvelope([late], { projectId: 2 })])
      expect(await store.point('replays', 2, [replayId])).not.toBeNull()
    })

    test('segments of a removed replay are accepted again after a while', async () => {
      await using store = disposable(await open())
      await store.remove({ type: 'replay', projectId: 1, replayId })
      await store.maintain(noon, 0)
      await store.append([sampleEnvelope(segments)])
      expect(await replayOf(store)).toBeUndefined()
      await store.maintain(noon + 60 * 86_400_000, 0)
      await store.append([sampleEnvelope(segments)])
      expect(await replayOf(store)).toBeDefined()
    })
  })
}
