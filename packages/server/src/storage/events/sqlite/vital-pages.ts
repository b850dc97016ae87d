/**
 * Vitals that come apart from their page load do not know its name; interactions and layout shifts
 * always do. They get it from the page load's span, whichever of the two comes second.
 */
import type { Connection } from './connection.ts'
import { histogramKinds, type HistogramRollups, type MeasuredFact } from './histogram-rollups.ts'
import type { WrittenRow } from './row-writer.ts'

interface PageLoad {
  readonly projectId: number
  readonly traceId: string
  readonly segmentId: string
}

/** Names the vitals for which these rows complete the information, and moves their counts. */
export function nameVitals(
  connection: Connection,
  histograms: HistogramRollups,
  written: readonly WrittenRow[],
): void {
  const unnamed: MeasuredFact[] = []
  const named: MeasuredFact[] = []
  for (const page of pageLoadsOf(written)) {
    const segmentName = nameOf(connection, page)
    if (segmentName === null) continue
    for (const vital of takeUnnamed(connection, page, segmentName)) {
      unnamed.push(vital)
      named.push({ ...vital, segmentName })
    }
  }
  histograms.subtract(unnamed)
  histograms.add(named)
}

/** Returns the page loads of which a vital without a name, or the name, has just come. */
function pageLoadsOf(written: readonly WrittenRow[]): Iterable<PageLoad> {
  const pages = new Map<string, PageLoad>()
  for (const { projectId, row } of written) {
    const isVital = row.table === 'vitals' && row.columns.segmentName === null
    const isPage =
      row.table === 'spans' && row.columns.isSegment === 1 && row.columns.segmentName !== null
    if (!isVital && !isPage) continue
    const { traceId } = row.columns
    const segmentId = row.table === 'spans' ? row.columns.spanId : row.columns.segmentId
    if (traceId === null || segmentId === null) continue
    pages.set(`${projectId} ${traceId} ${segmentId}`, { projectId, traceId, segmentId })
  }
  return pages.values()
}

function nameOf(connection: Connection, page: PageLoad): string | null {
  const name = connection.get(
    `select segment_name from spans
     where trace_id = ? and span_id = ? and project_id = ? and is_segment = 1`,
    page.traceId,
    page.segmentId,
    page.projectId,
  )?.['segment_name']
  return typeof name === 'string' ? name : null
}

/** Names the page load's unnamed vitals; returns them as they were. */
function takeUnnamed(
  connection: Connection,
  { projectId, traceId, segmentId }: PageLoad,
  segmentName: string,
): MeasuredFact[] {
  // Without the hint SQLite would visit all vitals of the project for every page load.
  const rows = connection.all(
    `update vitals indexed by vitals_key set segment_name = ?
     where trace_id = ? and segment_id = ? and project_id = ? and segment_name is null
     returning name, value, environment, timestamp`,
    segmentName,
    traceId,
    segmentId,
    projectId,
  )
  return rows.map((row) => ({
    kind: histogramKinds.vitals,
    projectId,
    segmentName: null,
    label: typeof row['name'] === 'string' ? row['name'] : null,
    environment: typeof row['environment'] === 'string' ? row['environment'] : null,
    timestamp: Number(row['timestamp']),
    value: typeof row['value'] === 'number' ? row['value'] : null,
    isFailed: false,
  }))
}
