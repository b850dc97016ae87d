/**
 * A vital that grows is sent again: a layout shift after the page was hidden, or a slower
 * interaction. The greatest value of a page load counts, in any order of arrival. LCP, CLS and INP
 * never decrease, and the others do not change.
 */
import type { Row } from '../tables.ts'
import type { Connection } from './connection.ts'
import { histogramKinds, type MeasuredFact } from './histogram-rollups.ts'

export type VitalRow = Extract<Row, { table: 'vitals' }>

/** The measurement that rollups subtract, and the one that they add. */
export interface Growth {
  readonly before: MeasuredFact
  readonly after: MeasuredFact
}

/** Merges a vital into the stored one with its key; null when that does not change. */
export function growVital(connection: Connection, projectId: number, row: VitalRow): Growth | null {
  const { traceId, segmentId, name } = row.columns
  const key = [projectId, traceId, segmentId, name] as const
  const where = 'where project_id = ? and trace_id = ? and segment_id = ? and name = ?'
  const stored = connection.get(
    `select timestamp, value, element, segment_name, release, environment, browser
     from vitals ${where}`,
    ...key,
  )
  if (stored === undefined) return null
  const { value, element, segmentName, release, environment, browser } = row.columns
  const known = {
    timestamp: Number(stored['timestamp']),
    value: typeof stored['value'] === 'number' ? stored['value'] : null,
    element: textOf(stored['element']),
    segmentName: textOf(stored['segment_name']),
    release: textOf(stored['release']),
    environment: textOf(stored['environment']),
    browser: textOf(stored['browser']),
  }
  const given = {
    timestamp: row.timestamp,
    value,
    element,
    segmentName,
    release,
    environment,
    browser,
  }
  const isGreater = (given.value ?? -1) > (known.value ?? -1)
  const winner = isGreater ? given : known
  const loser = isGreater ? known : given
  // Either of them may have the page's name.
  const merged = { ...winner, segmentName: winner.segmentName ?? loser.segmentName }
  if (!isGreater && merged.segmentName === known.segmentName) return null
  connection.run(
    `update vitals set timestamp = ?, value = ?, element = ?, segment_name = ?, release = ?,
       environment = ?, browser = ? ${where}`,
    merged.timestamp,
    merged.value,
    merged.element,
    merged.segmentName,
    merged.release,
    merged.environment,
    merged.browser,
    ...key,
  )
  const factOf = (one: typeof merged): MeasuredFact => ({
    kind: histogramKinds.vitals,
    projectId,
    segmentName: one.segmentName,
    label: name,
    environment: one.environment,
    timestamp: one.timestamp,
    value: one.value,
    isFailed: false,
  })
  return { before: factOf(known), after: factOf(merged) }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
