import type { ApiTag } from '@afterimage/protocol/api/issue'
import { hashesOf } from '../issues/issue-row.ts'
import type { Condition } from '../storage/events/port.ts'
import type { IssueEvents } from './issue-events.ts'
import { CONDITION_VALUES_MAX, ISSUE_TAGS_MAX, TAG_ROWS_MAX } from './limits.ts'
import type { Stores } from './stores.ts'

/** Columns that people expect among the tags. */
const columnTags = [
  { key: 'browser', field: 'browser' },
  { key: 'os', field: 'os' },
  { key: 'release', field: 'release' },
  { key: 'environment', field: 'environment' },
  { key: 'level', field: 'level' },
  { key: 'transaction', field: 'transaction' },
  { key: 'url', field: 'url' },
  { key: 'user', field: 'userKey' },
] as const

/** How the tags of an issue's events are distributed, the most frequent first. */
export async function tagsOfIssue(
  stores: Stores,
  of: IssueEvents,
  valuesMax: number,
): Promise<readonly ApiTag[]> {
  const hashes = await hashesOf(stores.metadata, of.issueId, CONDITION_VALUES_MAX)
  const where: readonly Condition[] = [
    { field: 'groupingHash', op: 'in', values: hashes },
    ...of.conditions,
  ]
  const scope = { projectIds: [of.projectId], where, ...(of.range ? { range: of.range } : {}) }
  const counted = new Map<string, Map<string, number>>()
  const rows = await stores.events.aggregate({
    table: 'tags',
    ...scope,
    groupBy: ['key', 'value'],
    measures: [{ type: 'count' }],
    limit: TAG_ROWS_MAX,
  })
  for (const { group, values } of rows) add(counted, String(group[0]), group[1], values[0])
  for (const { key, field } of columnTags) {
    if (counted.has(key)) continue
    const found = await stores.events.aggregate({
      table: 'errors',
      ...scope,
      groupBy: [field],
      measures: [{ type: 'count' }],
      limit: TAG_ROWS_MAX,
    })
    for (const { group, values } of found) add(counted, key, group[0], values[0])
  }
  return [...counted]
    .map(([key, values]) => tagOf(key, values, valuesMax))
    .sort((a, b) => b.totalValues - a.totalValues || (a.key < b.key ? -1 : 1))
    .slice(0, ISSUE_TAGS_MAX)
}

function add(
  counted: Map<string, Map<string, number>>,
  key: string,
  value: string | number | null | undefined,
  count: number | null | undefined,
): void {
  if (value === null || value === undefined || value === '') return
  const values = counted.get(key) ?? new Map<string, number>()
  values.set(String(value), (values.get(String(value)) ?? 0) + (count ?? 0))
  counted.set(key, values)
}

function tagOf(key: string, values: ReadonlyMap<string, number>, valuesMax: number): ApiTag {
  const sorted = [...values].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return {
    key,
    name: key,
    totalValues: sorted.reduce((total, [, count]) => total + count, 0),
    uniqueValues: sorted.length,
    topValues: sorted
      .slice(0, valuesMax)
      .map(([value, count]) => ({ key, value, name: value, count, lastSeen: null })),
  }
}
