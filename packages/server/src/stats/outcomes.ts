import type { ApiStats } from '@afterimage/protocol/api/stats'
import { itemTypeFacts, itemTypes, isItemType } from '@afterimage/protocol/item-type'
import { outcomes } from '@afterimage/protocol/outcome'
import type { Condition, EventStore, TimeRange } from '../storage/events/port.ts'
import { GROUPS_MAX } from '../search/limits.ts'
import { bucketsOf } from '../issues/series.ts'

/** The groupings of stats, each with its field in the store. */
export const statDimensions = {
  type: 'type',
  category: 'type',
  outcome: 'outcome',
  reason: 'reason',
  project: 'projectId',
} as const

export type StatDimension = keyof typeof statDimensions

/**
 * Returns the types under which a data category is counted: those of its items, and its own name
 * for client discards.
 */
export function typesOfCategory(category: string): readonly string[] {
  const types = Object.keys(itemTypes).filter((type) => itemTypeFacts(type).category === category)
  return [category, ...types]
}

/** The data category of an item's type; discards are counted under one already. */
function categoryOf(type: string): string {
  return isItemType(type) ? itemTypeFacts(type).category : type
}

/** `sum(items)` counts envelope items, `sum(quantity)` the things inside them (spans, logs…). */
export const statFields = {
  'sum(items)': 'items',
  'sum(times_seen)': 'items',
  'sum(quantity)': 'quantity',
} as const

export type StatField = keyof typeof statFields

export interface StatsQuestion {
  readonly projectIds: readonly number[]
  readonly range: TimeRange
  readonly bucketMs: number
  readonly groupBy: readonly StatDimension[]
  readonly fields: readonly StatField[]
  readonly where: readonly Condition[]
}

interface Counted {
  readonly by: Readonly<Record<string, string>>
  readonly counts: ReadonlyMap<number, readonly number[]>
}

/** Counts the outcomes of items by the groups in the query. */
export async function outcomeStats(events: EventStore, question: StatsQuestion): Promise<ApiStats> {
  const starts = bucketsOf(question.range, question.bucketMs)
  const groups = await countGroups(events, question, starts[0] ?? question.range.from)
  return {
    start: new Date(question.range.from).toISOString(),
    end: new Date(question.range.to).toISOString(),
    intervals: starts.map((start) => new Date(start).toISOString()),
    groups: groups.map(({ by, counts }) => {
      const series: Record<string, number[]> = {}
      const totals: Record<string, number> = {}
      for (const [index, field] of question.fields.entries()) {
        series[field] = starts.map((start) => counts.get(start)?.[index] ?? 0)
        totals[field] = series[field].reduce((sum, count) => sum + count, 0)
      }
      return { by, totals, series }
    }),
  }
}

/** The store groups by two things at most; outcomes and projects are few, and asked for one by one. */
async function countGroups(
  events: EventStore,
  question: StatsQuestion,
  from: number,
): Promise<readonly Counted[]> {
  const { groupBy } = question
  if (groupBy.length <= 2) return countTwo(events, question, from)
  if (groupBy.includes('outcome')) {
    const rest = groupBy.filter((name) => name !== 'outcome')
    const parts: Counted[] = []
    for (const outcome of outcomes) {
      const where = [...question.where, { field: 'outcome', op: 'is', value: outcome } as const]
      const found = await countGroups(events, { ...question, groupBy: rest, where }, from)
      parts.push(...found.map((it) => ({ ...it, by: { ...it.by, outcome } })))
    }
    return parts
  }
  const rest = groupBy.filter((name) => name !== 'project')
  const parts: Counted[] = []
  for (const projectId of question.projectIds) {
    const part = { ...question, groupBy: rest.slice(0, 2), projectIds: [projectId] }
    const found = await countTwo(events, part, from)
    parts.push(...found.map((it) => ({ ...it, by: { ...it.by, project: String(projectId) } })))
  }
  return parts
}

async function countTwo(
  events: EventStore,
  question: StatsQuestion,
  from: number,
): Promise<readonly Counted[]> {
  const rows = await events.aggregate({
    table: 'outcomes',
    projectIds: question.projectIds,
    range: { from, to: question.range.to },
    where: question.where,
    groupBy: question.groupBy.map((name) => statDimensions[name]),
    bucketMs: question.bucketMs,
    measures: question.fields.map((field) => ({ type: 'sum', field: statFields[field] })),
    limit: GROUPS_MAX,
  })
  const groups = new Map<string, { by: Record<string, string>; counts: Map<number, number[]> }>()
  for (const { bucket, group, values } of rows) {
    const by = Object.fromEntries(
      question.groupBy.map((name, index) => [name, groupName(name, group[index] ?? 'none')]),
    )
    const key = JSON.stringify(by)
    const counted = groups.get(key) ?? { by, counts: new Map<number, number[]>() }
    const before = counted.counts.get(bucket ?? 0)
    counted.counts.set(
      bucket ?? 0,
      values.map((value, index) => (value ?? 0) + (before?.[index] ?? 0)),
    )
    groups.set(key, counted)
  }
  return [...groups.values()]
}

/** Types of one category are one group. */
function groupName(dimension: StatDimension, value: string | number): string {
  return dimension === 'category' ? categoryOf(String(value)) : String(value)
}
