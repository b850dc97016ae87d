import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventStore, ProcessedEnvelope, ProcessedItem } from '../port.ts'
import { disposable } from './appends.ts'
import type { OpenStore } from './index.ts'
import {
  dayMs,
  noon,
  sampleEnvelope,
  sampleError,
  sampleId,
  sampleItem,
  sampleRow,
  sampleSegment,
} from './samples.ts'
import { stateOf } from './state.ts'

export function testShuffles(open: OpenStore): void {
  describe('any order', () => {
    test('the same deliveries in any order, in any batches and again give the same state', async () => {
      await using expected = disposable(await open())
      await expected.append(mixedDeliveries)
      const state = await stateOf(expected)
      const outcomes = await accepted(expected)
      const plan = fc.record({
        order: fc.shuffledSubarray([...mixedDeliveries.keys()], {
          minLength: mixedDeliveries.length,
        }),
        again: fc.array(fc.nat(mixedDeliveries.length - 1), { maxLength: 10 }),
        batch: fc.integer({ min: 1, max: 40 }),
        maintains: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(plan, async ({ order, again, batch, maintains }) => {
          await using store = disposable(await open())
          const sequence = [...order, ...again]
          for (let start = 0; start < sequence.length; start += batch) {
            await store.append(
              sequence.slice(start, start + batch).flatMap((index) => mixedDeliveries[index] ?? []),
            )
            if (maintains) await store.maintain(noon + start * dayMs, 0)
          }
          expect(await stateOf(store)).toEqual(state)
          expect(await accepted(store)).toEqual(outcomes)
        }),
        { numRuns: 15 },
      )
    })
  })
}

async function accepted(store: EventStore): Promise<unknown> {
  return store.aggregate({
    table: 'outcomes',
    projectIds: [],
    where: [],
    groupBy: ['type', 'outcome'],
    measures: [
      { type: 'sum', field: 'items' },
      { type: 'sum', field: 'quantity' },
    ],
    limit: 100,
  })
}

/** Errors, page loads and replay segments over three days; no two share a key. */
export const mixedDeliveries: readonly ProcessedEnvelope[] = Array.from(
  { length: 70 },
  (_, index) => {
    const receivedAt = noon + (index % 3) * dayMs
    const timestamp = receivedAt - index * 777_777.5
    return sampleEnvelope([itemOf(index, timestamp)], { receivedAt, projectId: 1 + (index % 2) })
  },
)

function itemOf(index: number, timestamp: number): ProcessedItem {
  const replayId = sampleId(900 + (index % 2) + (index % 3))
  const frame = {
    timestamp,
    tags: { color: index % 4 === 0 ? 'red' : 'blue', n: String(index) },
    payload: JSON.stringify({ index }),
  }
  // Items that come apart from their page load do not know the page.
  if (index >= 60) return lateVital(index, timestamp)
  switch (index % 5) {
    case 0:
    case 1:
      return sampleError(
        {
          eventId: sampleId(index),
          groupingHash: `h${index % 4}`,
          userKey: `id:${index % 6}`,
          replayId: index % 3 === 0 ? replayId : null,
        },
        frame,
      )
    case 2: {
      const trace = { traceId: sampleId(index), segmentName: `/p${index % 3}` }
      const durationMs = 10 + index * 3.3
      return sampleItem(
        'span',
        [
          sampleRow(
            'spans',
            { ...trace, spanId: 'a', isSegment: 1, op: 'pageload', durationMs },
            frame,
          ),
          sampleRow('spans', { ...trace, spanId: 'b', isSegment: 0, durationMs: 1 }, frame),
          sampleRow(
            'vitals',
            { ...trace, segmentId: 'a', name: 'lcp', value: index },
            { timestamp },
          ),
        ],
        { quantity: 2 },
      )
    }
    default:
      return sampleSegment(
        replayId,
        index,
        {
          firstEventAt: timestamp - 500,
          lastEventAt: timestamp + 4_000,
          urls: `["/${index}"]`,
          errorIds: index % 2 === 0 ? JSON.stringify([sampleId(index - 3)]) : '[]',
          release: index % 3 === 0 ? `r${index}` : null,
        },
        { timestamp },
      )
  }
}

/**
 * Makes an interaction of one of the page loads above, in the same project; the last two belong to
 * no page load.
 */
function lateVital(index: number, timestamp: number): ProcessedItem {
  const page = 2 + 5 * (index - 60)
  const traceId = sampleId(page % 2 === index % 2 ? page : page + 5)
  return sampleItem('span', [
    sampleRow('spans', { traceId, spanId: `c${index}`, isSegment: 1, op: 'ui.webvital.inp' }),
    sampleRow(
      'vitals',
      { traceId, segmentId: index < 68 ? 'a' : 'z', name: `inp${index}`, value: index },
      { timestamp },
    ),
  ])
}
