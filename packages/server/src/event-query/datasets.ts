import type { SearchFields } from '../search/conditions.ts'
import { errorFields, logFields, metricFields, spanFields } from '../search/fields.ts'
import type { Condition, Field } from '../storage/events/port.ts'

export type EventTable = 'errors' | 'spans' | 'logs' | 'metrics'

export type FieldType = 'string' | 'date' | 'integer' | 'number' | 'duration' | 'boolean'

/** A field that a question may name. */
export interface EventField {
  readonly field: Field
  readonly type: FieldType
}

/** A dataset of the query endpoint: its table, and the fields that may be named. */
export interface Dataset {
  readonly table: EventTable
  readonly search: SearchFields
  readonly fields: Readonly<Record<string, EventField>>
  /** Conditions that each of its rows meets. */
  readonly always: readonly Condition[]
  /** The field that `p95()` without one measures; null where nothing is measured. */
  readonly duration: string | null
  /** Names that are not listed are tags. */
  readonly hasTags: boolean
}

const string = (field: Field): EventField => ({ field, type: 'string' })
const number = (field: string): EventField => ({ field, type: 'number' })
const duration = (field: string): EventField => ({ field, type: 'duration' })

const common = {
  timestamp: { field: 'timestamp', type: 'date' },
  project: { field: 'projectId', type: 'string' },
  'project.name': { field: 'projectId', type: 'string' },
  'project.id': { field: 'projectId', type: 'integer' },
  release: string('release'),
  environment: string('environment'),
  trace: string('traceId'),
} as const

const errors: Dataset = {
  table: 'errors',
  search: errorFields,
  fields: {
    ...common,
    id: string('eventId'),
    issue: string('groupingHash'),
    'issue.id': { field: 'groupingHash', type: 'integer' },
    title: string('title'),
    message: string('message'),
    culprit: string('culprit'),
    level: string('level'),
    'event.type': string('type'),
    platform: string('platform'),
    dist: string('dist'),
    transaction: string('transaction'),
    url: string('url'),
    user: string('userKey'),
    'user.display': string('userLabel'),
    'user.username': string('username'),
    replayId: string('replayId'),
    'sdk.name': string('sdk'),
    browser: string('browser'),
    os: string('os'),
    'error.handled': { field: 'handled', type: 'boolean' },
    'error.mechanism': string({ tag: 'mechanism' }),
    'error.type': string('title'),
    'error.value': string('title'),
  },
  always: [],
  duration: null,
  hasTags: true,
}

const spans: Dataset = {
  table: 'spans',
  search: spanFields,
  fields: {
    ...common,
    id: string('spanId'),
    span_id: string('spanId'),
    parent_span: string('parentSpanId'),
    'transaction.event_id': string('eventId'),
    is_transaction: { field: 'isSegment', type: 'boolean' },
    'span.op': string('op'),
    'span.name': string('name'),
    'span.description': string('name'),
    'span.status': string('status'),
    'span.duration': duration('durationMs'),
    'span.self_time': duration('selfTimeMs'),
    'transaction.op': string('op'),
    'transaction.duration': duration('durationMs'),
    'transaction.status': string('status'),
    transaction: string('segmentName'),
    origin: string('origin'),
    service: string('service'),
    platform: string('platform'),
    user: string('userKey'),
    replayId: string('replayId'),
    browser: string('browser'),
    'sdk.name': string('sdk'),
  },
  always: [],
  duration: 'span.duration',
  hasTags: false,
}

const logs: Dataset = {
  table: 'logs',
  search: logFields,
  fields: {
    ...common,
    id: string('key'),
    message: string('body'),
    'log.body': string('body'),
    severity: string('level'),
    'span.id': string('spanId'),
    user: string('userKey'),
    service: string('service'),
    replayId: string('replayId'),
  },
  always: [],
  duration: null,
  hasTags: false,
}

const metrics: Dataset = {
  table: 'metrics',
  search: metricFields,
  fields: {
    ...common,
    id: string('key'),
    'metric.name': string('name'),
    'metric.type': string('type'),
    'metric.unit': string('unit'),
    name: string('name'),
    value: number('value'),
  },
  always: [],
  duration: 'value',
  hasTags: false,
}

const datasets: Readonly<Record<string, Dataset>> = {
  errors,
  discover: errors,
  spans,
  transactions: { ...spans, always: [{ field: 'isSegment', op: 'is', value: 1 }] },
  logs,
  ourlogs: logs,
  metrics,
  tracemetrics: metrics,
}

/** The names of datasets. */
export const datasetNames = Object.keys(datasets)

/** Finds a dataset by its name; null when there is none. */
export function datasetOf(name: string): Dataset | null {
  return Object.hasOwn(datasets, name) ? (datasets[name] ?? null) : null
}

/** Finds a field by its name or as `tags[name]`; null when the dataset has none. */
export function eventFieldOf(dataset: Dataset, name: string): EventField | null {
  if (Object.hasOwn(dataset.fields, name)) return dataset.fields[name] ?? null
  const tag = /^tags\[(.{1,200})\]$/s.exec(name)?.[1]
  if (!dataset.hasTags || !(tag !== undefined || /^[\w.@/-]{1,200}$/.test(name))) return null
  return { field: { tag: tag ?? name }, type: 'string' }
}
