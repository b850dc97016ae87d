import type { IssueEffect, ProcessedEnvelope, ProcessedItem } from '../port.ts'
import { tables, type Columns, type Row, type TableName } from '../tables.ts'

/** A Tuesday, noon UTC: the time of receipt where a test does not care. */
export const noon = Date.UTC(2026, 5, 16, 12)
export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Makes a row with the given columns; all others are null. */
export function sampleRow<N extends TableName>(
  table: N,
  columns: Partial<Columns<N>>,
  frame: { timestamp?: number; tags?: Readonly<Record<string, string>>; payload?: string } = {},
): Row {
  const empty = Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null]))
  return {
    table,
    timestamp: noon,
    ...frame,
    columns: { ...empty, ...columns },
  } as unknown as Row
}

/** Returns a 32-digit id for a small number. */
export function sampleId(number: number): string {
  return number.toString(16).padStart(32, '0')
}

export function sampleItem(
  type: string,
  rows: readonly Row[],
  more: Partial<ProcessedItem> = {},
): ProcessedItem {
  return { type, quantity: 1, rows, blobs: [], effects: [], refusal: null, ...more }
}

let deliveries = 0

/** Makes an envelope, with a delivery id of its own unless one is given. */
export function sampleEnvelope(
  items: readonly ProcessedItem[],
  more: Partial<ProcessedEnvelope> = {},
): ProcessedEnvelope {
  return { deliveryId: `delivery-${deliveries++}`, projectId: 1, receivedAt: noon, items, ...more }
}

export function sampleEffect(more: Partial<IssueEffect> = {}): IssueEffect {
  return {
    type: 'issue',
    hashes: ['h1'],
    groupingVersion: '1',
    eventId: sampleId(1),
    timestamp: noon,
    title: 'Error: no',
    culprit: '',
    kind: 'error',
    metadata: {},
    level: 'error',
    platform: 'javascript',
    logger: null,
    release: null,
    environment: null,
    handled: null,
    ...more,
  }
}

/** Makes an error event in an item of its own. */
export function sampleError(
  columns: Partial<Columns<'errors'>>,
  frame: { timestamp?: number; tags?: Readonly<Record<string, string>>; payload?: string } = {},
): ProcessedItem {
  return sampleItem('event', [
    sampleRow('errors', { groupingHash: 'h1', type: 'error', level: 'error', ...columns }, frame),
  ])
}

/** Makes a segment of a replay in an item of its own, with its recording. */
export function sampleSegment(
  replayId: string,
  segmentId: number,
  columns: Partial<Columns<'replaySegments'>> = {},
  frame: { timestamp?: number } = {},
): ProcessedItem {
  const blobKey = `replays/1/${replayId}/${segmentId}`
  const row = sampleRow('replaySegments', { replayId, segmentId, blobKey, ...columns }, frame)
  return sampleItem('replay_event', [row], { blobs: [{ key: blobKey, bytes: new Uint8Array(3) }] })
}
