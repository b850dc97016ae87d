import { describe, expect, test } from 'vitest'
import type { EventStore } from '../port.ts'
import { disposable } from './appends.ts'
import type { OpenStore } from './index.ts'
import { noon, sampleEnvelope, sampleId, sampleItem, sampleRow } from './samples.ts'

const traceId = sampleId(5)

const pageLoad = sampleItem('span', [
  sampleRow('spans', { traceId, spanId: 'a', isSegment: 1, op: 'pageload', segmentName: '/shop' }),
])

function interaction(
  traceOfPage: string,
  segmentId = 'a',
  segmentName: string | null = null,
  value = 80,
) {
  const columns = { traceId: traceOfPage, segmentId, name: 'inp', value, segmentName }
  return sampleItem('span', [
    sampleRow('spans', { traceId: traceOfPage, spanId: 'c', isSegment: 1, op: 'ui.interaction' }),
    sampleRow('vitals', columns, { timestamp: noon }),
  ])
}

/** Returns page and count of all interactions, from the rollups and from the rows. */
async function pagesOf(store: EventStore): Promise<unknown> {
  const counted = await store.aggregate({
    table: 'vitals',
    projectIds: [],
    where: [],
    groupBy: ['projectId', 'segmentName'],
    measures: [{ type: 'count' }, { type: 'sum', field: 'value' }],
    limit: 10,
  })
  const page = await store.page({ table: 'vitals', projectIds: [], where: [], limit: 10 })
  return {
    counted: counted.map(({ group, values }) => [...group, ...values]).toSorted(),
    rows: page.rows.map((row) => [row.projectId, row.columns.segmentName]).toSorted(),
  }
}

export function testVitals(open: OpenStore): void {
  describe('vitals', () => {
    test.each([
      ['after its page load', [pageLoad, interaction(traceId)]],
      ['before its page load', [interaction(traceId), pageLoad]],
      ['more than once', [interaction(traceId), interaction(traceId), pageLoad, pageLoad]],
    ])('one that comes %s is counted for its page, once', async (_, items) => {
      await using store = disposable(await open())
      for (const item of items) await store.append([sampleEnvelope([item])])
      expect(await pagesOf(store)).toEqual({ counted: [[1, '/shop', 1, 80]], rows: [[1, '/shop']] })
    })

    const first = interaction(traceId)
    const later = interaction(traceId, 'a', null, 250)
    const named = interaction(traceId, 'a', '/shop', 120)
    test.each([
      ['after it', [pageLoad, first, named, later]],
      ['before it', [later, first, pageLoad, named]],
      ['before the page is named', [first, later, first, named]],
      ['between', [named, later, first, pageLoad]],
    ])('one that grows is counted once, with its greatest value: %s', async (_, items) => {
      for (const isOneBatch of [true, false]) {
        await using store = disposable(await open())
        const envelopes = items.map((item) => sampleEnvelope([item]))
        if (isOneBatch) await store.append(envelopes)
        else for (const envelope of envelopes) await store.append([envelope])
        expect(await pagesOf(store)).toEqual({
          counted: [[1, '/shop', 1, 250]],
          rows: [[1, '/shop']],
        })
      }
    })

    test('a vital in the same batch is counted for its page', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([interaction(traceId)]), sampleEnvelope([pageLoad])])
      expect(await pagesOf(store)).toEqual({ counted: [[1, '/shop', 1, 80]], rows: [[1, '/shop']] })
    })

    test('a name of its own stays, and no name is taken from other traces, spans or projects', async () => {
      await using store = disposable(await open())
      await store.append([
        sampleEnvelope([pageLoad]),
        sampleEnvelope([interaction(traceId, 'a', '/own')]),
        sampleEnvelope([interaction(sampleId(6))]),
        sampleEnvelope([interaction(traceId, 'b')], { projectId: 2 }),
        sampleEnvelope([interaction(traceId, 'a')], { projectId: 3 }),
      ])
      expect(await pagesOf(store)).toMatchObject({
        rows: [
          [1, null],
          [1, '/own'],
          [2, null],
          [3, null],
        ],
      })
    })

    test('a removed vital is taken from the count of its page', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([interaction(traceId)]), sampleEnvelope([pageLoad])])
      await store.remove({ type: 'project', projectId: 1 })
      expect(await pagesOf(store)).toEqual({ counted: [], rows: [] })
    })
  })
}
