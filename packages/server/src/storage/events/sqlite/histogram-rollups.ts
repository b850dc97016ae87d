import type { SQLInputValue } from 'node:sqlite'
import { failedSpan } from '../port.ts'
import type { Connection } from './connection.ts'
import { addEncoded, addValue, encodeHistogram, type Histogram } from './histogram.ts'
import { hourOf } from './layout.ts'
import { limits } from './limits.ts'
import type { WrittenRow } from './row-writer.ts'

/** Kinds of histogram, as stored: durations of segment spans by op, web vitals by name. */
export const histogramKinds = { spans: 1, vitals: 2 } as const

/**
 * One measurement, counted by series and hour. A series has at least one row per hour, so its
 * rollup cannot outgrow them.
 */
export interface MeasuredFact {
  readonly kind: number
  readonly projectId: number
  readonly segmentName: string | null
  readonly label: string | null
  readonly environment: string | null
  readonly timestamp: number
  readonly value: number | null
  readonly isFailed: boolean
}

export interface HistogramRollups {
  add(facts: readonly MeasuredFact[]): void
  subtract(facts: readonly MeasuredFact[]): void
  reset(): void
}

/**
 * Returns the measurement of a written row; null for other tables, and for spans other than
 * segments.
 */
export function measuredFactOf({ projectId, row }: WrittenRow): MeasuredFact | null {
  if (row.table === 'spans' && row.columns.isSegment === 1) {
    const { segmentName, op, environment, durationMs, status } = row.columns
    return {
      kind: histogramKinds.spans,
      projectId,
      segmentName,
      label: op,
      environment,
      timestamp: row.timestamp,
      value: durationMs,
      isFailed: isFailedStatus(status),
    }
  }
  if (row.table === 'vitals') {
    const { segmentName, name, environment, value } = row.columns
    return {
      kind: histogramKinds.vitals,
      projectId,
      segmentName,
      label: name,
      environment,
      timestamp: row.timestamp,
      value,
      isFailed: false,
    }
  }
  return null
}

const statusesOfSuccess = new Set(
  failedSpan.flatMap((condition) => (condition.op === 'notIn' ? condition.values : [])),
)

/** The same rule as `failedSpan` of the port. */
export function isFailedStatus(status: string | null): boolean {
  return typeof status === 'string' && !statusesOfSuccess.has(status.toLowerCase())
}

interface HourDelta {
  readonly seriesId: number
  readonly fact: MeasuredFact
  readonly hour: number
  rows: number
  failed: number
  total: number
  readonly histogram: Histogram
}

export function openHistogramRollups(connection: Connection): HistogramRollups {
  const seriesIds = new Map<string, number>()

  function seriesIdOf(fact: MeasuredFact): number {
    const name = JSON.stringify([
      fact.projectId,
      fact.kind,
      fact.segmentName,
      fact.label,
      fact.environment,
    ])
    let id = seriesIds.get(name)
    if (id === undefined) {
      id = loadSeries(connection, fact)
      if (seriesIds.size >= limits.cacheEntriesMax) seriesIds.clear()
      seriesIds.set(name, id)
    }
    return id
  }

  function apply(facts: readonly MeasuredFact[], sign: 1 | -1): void {
    const deltas = new Map<string, HourDelta>()
    for (const fact of facts) {
      const seriesId = seriesIdOf(fact)
      const hour = hourOf(fact.timestamp)
      const name = `${seriesId} ${hour}`
      let delta = deltas.get(name)
      if (delta === undefined) {
        delta = { seriesId, fact, hour, rows: 0, failed: 0, total: 0, histogram: new Map() }
        deltas.set(name, delta)
      }
      delta.rows += sign
      if (fact.isFailed) delta.failed += sign
      if (typeof fact.value === 'number' && !Number.isNaN(fact.value)) {
        delta.total += sign * fact.value
        addValue(delta.histogram, fact.value, sign)
      }
    }
    for (const delta of deltas.values()) writeHour(connection, delta)
  }

  return {
    add: (facts) => apply(facts, 1),
    subtract: (facts) => apply(facts, -1),
    reset: () => seriesIds.clear(),
  }
}

function loadSeries(connection: Connection, fact: MeasuredFact): number {
  const names: SQLInputValue[] = [
    fact.projectId,
    fact.kind,
    fact.segmentName,
    fact.label,
    fact.environment,
  ]
  const known = connection.get(
    `select id from histogram_series
     where project_id = ? and kind = ? and segment_name is ? and label is ? and environment is ?`,
    ...names,
  )?.['id']
  if (typeof known === 'number') return known
  const made = connection
    .prepare(
      `insert into histogram_series (project_id, kind, segment_name, label, environment)
       values (?, ?, ?, ?, ?)`,
    )
    .run(...names)
  return Number(made.lastInsertRowid)
}

function writeHour(connection: Connection, delta: HourDelta): void {
  const { projectId, kind } = delta.fact
  const place = [projectId, kind, delta.hour, delta.seriesId]
  const where = 'where project_id = ? and kind = ? and hour = ? and series_id = ?'
  const stored = connection.get(
    `select row_count, failed, total, buckets from histogram_hours ${where}`,
    ...place,
  )
  const rows = Number(stored?.['row_count'] ?? 0) + delta.rows
  if (rows <= 0) {
    connection.run(`delete from histogram_hours ${where}`, ...place)
    return
  }
  if (stored !== undefined) addEncoded(delta.histogram, stored['buckets'] as Uint8Array)
  connection.run(
    `insert or replace into histogram_hours
       (project_id, kind, hour, series_id, row_count, failed, total, buckets)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...place,
    rows,
    Number(stored?.['failed'] ?? 0) + delta.failed,
    Number(stored?.['total'] ?? 0) + delta.total,
    encodeHistogram(delta.histogram),
  )
}
