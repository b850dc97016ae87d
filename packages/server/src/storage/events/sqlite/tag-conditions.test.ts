import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  sampleEnvelope,
  sampleError,
  sampleId,
  sampleItem,
  sampleRow,
} from '../contract/samples.ts'
import type { Condition, EventStore } from '../port.ts'
import { openSqliteEvents } from './index.ts'

/** Every strategy for tags, chosen by the number of pairs and rows, gives the same rows. */

const rowCount = 2_600
let folder: string
let store: EventStore
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tags-'))
  store = await openSqliteEvents({ file: join(folder, 'events.db'), mode: 'writer' })
  const items = Array.from({ length: rowCount }, (_, index) =>
    sampleError({ eventId: sampleId(index) }, { timestamp: index, tags: tagsOf(index) }),
  )
  await store.append([sampleEnvelope(items)])
  const feedback = Array.from({ length: 40 }, (_, index) =>
    sampleItem('feedback', [
      sampleRow(
        'feedback',
        { eventId: sampleId(index) },
        { timestamp: index, tags: tagsOf(index) },
      ),
    ]),
  )
  await store.append([sampleEnvelope(feedback)])
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * A key with one value, one with few, one with many, one with very many, which is missing at times.
 */
function tagsOf(index: number): Record<string, string> {
  return {
    all: 'yes',
    few: ['red', 'Green', 'blue_50%'][index % 3] ?? '',
    many: `value ${index % 40}`,
    ...(index % 7 === 0 ? {} : { unique: `id-${index}` }),
  }
}

function isOneOf(...values: string[]): (value: string | undefined) => boolean {
  const lower = values.map((value) => value.toLowerCase())
  return (value) => value !== undefined && lower.includes(value.toLowerCase())
}

const cases: readonly [string, Condition, (tags: Record<string, string>) => boolean][] = [
  ['is', { field: { tag: 'few' }, op: 'is', value: 'GREEN' }, (it) => isOneOf('green')(it['few'])],
  [
    'is, rare',
    { field: { tag: 'unique' }, op: 'is', value: 'id-5' },
    (it) => it['unique'] === 'id-5',
  ],
  ['is, unknown', { field: { tag: 'few' }, op: 'is', value: 'pink' }, () => false],
  [
    'isNot',
    { field: { tag: 'unique' }, op: 'isNot', value: 'id-5' },
    (it) => it['unique'] !== 'id-5',
  ],
  ['isNot, unknown', { field: { tag: 'few' }, op: 'isNot', value: 'pink' }, () => true],
  [
    'in',
    {
      field: { tag: 'many' },
      op: 'in',
      values: Array.from({ length: 30 }, (_, i) => `value ${i}`),
    },
    (it) => Number(it['many']?.slice(6)) < 30,
  ],
  [
    'notIn',
    { field: { tag: 'few' }, op: 'notIn', values: ['red', 'green'] },
    (it) => !isOneOf('red', 'green')(it['few']),
  ],
  [
    'like',
    { field: { tag: 'unique' }, op: 'like', pattern: '*9*9*' },
    (it) => /9.*9/.test(it['unique'] ?? ''),
  ],
  [
    'like, very many',
    { field: { tag: 'unique' }, op: 'like', pattern: 'ID-*' },
    (it) => 'unique' in it,
  ],
  [
    'notLike',
    { field: { tag: 'unique' }, op: 'notLike', pattern: '*9*9*' },
    (it) => !/9.*9/.test(it['unique'] ?? ''),
  ],
  [
    'contains',
    { field: { tag: 'few' }, op: 'contains', text: '_50%' },
    (it) => it['few'] === 'blue_50%',
  ],
  [
    'contains takes * as it is',
    { field: { tag: 'few' }, op: 'contains', text: 'r*d' },
    () => false,
  ],
  [
    'notContains',
    { field: { tag: 'unique' }, op: 'notContains', text: '1' },
    (it) => !(it['unique'] ?? '').includes('1'),
  ],
  ['exists', { field: { tag: 'unique' }, op: 'exists' }, (it) => 'unique' in it],
  ['missing', { field: { tag: 'unique' }, op: 'missing' }, (it) => !('unique' in it)],
  ['missing everywhere', { field: { tag: 'none' }, op: 'missing' }, () => true],
]

test.each(cases)('%s', async (_name, condition, isMeant) => {
  for (const [table, rows] of [
    ['errors', rowCount],
    ['feedback', 40],
  ] as const) {
    const [row] = await store.aggregate({
      table,
      projectIds: [1],
      where: [condition],
      groupBy: [],
      measures: [{ type: 'count' }],
      limit: 1,
    })
    const expected = Array.from({ length: rows }, (__, index) => tagsOf(index)).filter(isMeant)
    expect(row?.values[0], table).toBe(expected.length)
  }
})
