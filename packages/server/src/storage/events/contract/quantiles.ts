import { describe, expect, test } from 'vitest'
import { failedSpan, type EventStore } from '../port.ts'
import { ranges, within } from './aggregates.ts'
import { disposable } from './appends.ts'
import type { OpenStore } from './index.ts'
import { dayMs, noon, sampleEnvelope, sampleId, sampleItem, sampleRow } from './samples.ts'

export function testQuantiles(open: OpenStore): void {
  describe('aggregate', () => {
    test('quantiles of pages are within 2 %, from rollups as from rows', async () => {
      await using store = disposable(await open())
      const spans = await fillSpans(store)
      for (const range of [undefined, ...ranges.slice(1, 4)]) {
        for (const where of [
          segments,
          [...segments, { field: 'traceId', op: 'exists' }],
        ] as const) {
          const rows = await store.aggregate({
            table: 'spans',
            projectIds: [1],
            where,
            groupBy: ['segmentName', 'op'],
            measures: [
              { type: 'count' },
              ...[0, 0.5, 0.95, 1].map(
                (q) => ({ type: 'quantile', field: 'durationMs', q }) as const,
              ),
              { type: 'average', field: 'durationMs' },
              { type: 'sum', field: 'durationMs' },
              { type: 'countIf', where: failedSpan },
              { type: 'distinct', field: 'traceId' },
            ],
            limit: 100,
            ...(range === undefined ? {} : { range }),
          })
          for (const { group, values } of rows) {
            const mine = spans.filter((s) => s.name === group[0] && within(range, s.timestamp))
            expect(values[0]).toBe(mine.length)
            const sorted = mine.map((s) => s.durationMs).toSorted((a, b) => a - b)
            for (const [index, q] of [0, 0.5, 0.95, 1].entries()) {
              const exact = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0
              const measured = Number(values[index + 1])
              expect(Math.abs(measured - exact)).toBeLessThanOrEqual(exact * 0.02)
            }
            const total = sorted.reduce((sum, value) => sum + value, 0)
            expect(values[5]).toBeCloseTo(total / sorted.length, 6)
            expect(values[6]).toBeCloseTo(total, 6)
            expect(values[7]).toBe(mine.filter((s) => s.isFailed).length)
            expect(values[8]).toBe(mine.length)
          }
          expect(rows.reduce((sum, row) => sum + Number(row.values[0]), 0)).toBe(
            spans.filter((s) => within(range, s.timestamp)).length,
          )
        }
      }
    })
  })
}

const segments = [{ field: 'isSegment', op: 'is', value: 1 }] as const

interface SpanFact {
  readonly name: string
  readonly timestamp: number
  readonly durationMs: number
  readonly isFailed: boolean
}

async function fillSpans(store: EventStore): Promise<readonly SpanFact[]> {
  const spans = Array.from({ length: 600 }, (_, index) => ({
    name: ['/a', '/b', '/c/[id]'][index % 3] ?? '',
    timestamp: noon - ((index * 7_919_993) % (3 * dayMs)),
    durationMs: 0.5 + ((index * 7_907) % 1_009) ** 2 / 100,
    isFailed: index % 11 === 0,
  }))
  const items = spans.map((span, index) => {
    const trace = { traceId: sampleId(index), segmentName: span.name, op: 'pageload' }
    const status = span.isFailed ? 'internal_error' : 'ok'
    return sampleItem('span', [
      sampleRow(
        'spans',
        { ...trace, spanId: 'a', isSegment: 1, durationMs: span.durationMs, status },
        { timestamp: span.timestamp },
      ),
      sampleRow('spans', { ...trace, spanId: 'b', isSegment: 0, durationMs: 1e6 }),
    ])
  })
  for (let start = 0; start < items.length; start += 100) {
    await store.append([sampleEnvelope(items.slice(start, start + 100))])
  }
  return spans
}
