import type { ApiTag } from '@afterimage/protocol/api/issue'
import { hashesOf } from './row.ts'
import type { Condition, EventStore, TimeRange } from '../storage/events/port.ts'
import type { IssueEvents } from './events.ts'
import {
  CONDITION_VALUES_MAX,
  ISSUE_TAGS_MAX,
  TAG_ROWS_MAX,
  TAG_SAMPLE_EVENTS,
  TAG_SAMPLE_PAGE,
} from '../search/limits.ts'
import type { Stores } from '../storage/stores.ts'

const dayMs = 86_400_000

/**
 * Returns how the tags of an issue's events are distributed, the most frequent first. Columns such
 * as url, user and browser are tags too. Without a filter the counts come from counters, by whole
 * UTC days of the range; with one the newest `TAG_SAMPLE_EVENTS` events are counted.
 */
export async function tagsOfIssue(
  stores: Stores,
  of: IssueEvents,
  valuesMax: number,
): Promise<readonly ApiTag[]> {
  const hashes = await hashesOf(stores.metadata, of.issueId, CONDITION_VALUES_MAX)
  const ofIssue: Condition = { field: 'groupingHash', op: 'in', values: hashes }
  const counted =
    of.conditions.length === 0
      ? await countAll(stores.events, of, ofIssue)
      : await countNewest(stores.events, of, [ofIssue, ...of.conditions])
  return [...counted]
    .map(([key, values]) => tagOf(key, values, valuesMax))
    .sort((a, b) => b.totalValues - a.totalValues || (a.key < b.key ? -1 : 1))
    .slice(0, ISSUE_TAGS_MAX)
}

/** Events by value by key. The empty value stands for the rest, where a key has very many. */
type Counted = Map<string, Map<string, number>>

async function countAll(events: EventStore, of: IssueEvents, where: Condition): Promise<Counted> {
  const rows = await events.aggregate({
    table: 'tags',
    projectIds: [of.projectId],
    where: [where],
    ...(of.range === null ? {} : { range: wholeDays(of.range) }),
    groupBy: ['key', 'value'],
    measures: [{ type: 'count' }],
    limit: TAG_ROWS_MAX,
  })
  const counted: Counted = new Map()
  for (const { group, values } of rows) {
    add(counted, String(group[0]), String(group[1] ?? ''), values[0] ?? 0)
  }
  return counted
}

function wholeDays({ from, to }: TimeRange): TimeRange {
  return { from: Math.floor(from / dayMs) * dayMs, to: Math.ceil(to / dayMs) * dayMs }
}

async function countNewest(
  events: EventStore,
  of: IssueEvents,
  where: readonly Condition[],
): Promise<Counted> {
  const counted: Counted = new Map()
  let cursor: string | undefined
  let left = TAG_SAMPLE_EVENTS
  do {
    const page = await events.page({
      table: 'errors',
      projectIds: [of.projectId],
      where,
      ...(of.range === null ? {} : { range: of.range }),
      ...(cursor === undefined ? {} : { cursor }),
      limit: Math.min(left, TAG_SAMPLE_PAGE),
    })
    for (const { tags } of page.rows) {
      for (const [key, value] of Object.entries(tags)) add(counted, key, value, 1)
    }
    left -= page.rows.length
    cursor = page.next
  } while (cursor !== undefined && left > 0)
  return counted
}

function add(counted: Counted, key: string, value: string, count: number): void {
  const values = counted.get(key) ?? new Map<string, number>()
  values.set(value, (values.get(value) ?? 0) + count)
  counted.set(key, values)
}

function tagOf(key: string, values: ReadonlyMap<string, number>, valuesMax: number): ApiTag {
  const known = [...values].filter(([value]) => value !== '')
  const sorted = known.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return {
    key,
    name: key,
    totalValues: values.values().reduce((total, count) => total + count, 0),
    uniqueValues: sorted.length,
    topValues: sorted
      .slice(0, valuesMax)
      .map(([value, count]) => ({ key, value, name: value, count, lastSeen: null })),
  }
}
