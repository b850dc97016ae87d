import { itemTypeFacts } from '@afterimage/protocol/item-type'
import type { ProcessedEnvelope, ProcessedItem } from '../port.ts'
import type { Row, TableName } from '../tables.ts'
import type { Connection } from './connection.ts'
import { openErrorRollups, type ErrorFact, type ErrorRollups } from './error-rollups.ts'
import {
  measuredFactOf,
  openHistogramRollups,
  type HistogramRollups,
  type MeasuredFact,
} from './histogram-rollups.ts'
import { dayOfId, layouts } from './layout.ts'
import { openOutboxBatch, type OutboxBatch } from './outbox.ts'
import { openOutcomeCounts, type OutcomeCounts } from './outcomes.ts'
import { writePayloads, type PayloadEntry } from './payload-blocks.ts'
import { deriveReplay, isRemovedReplay, relinkErrors, type ReplayName } from './replays.ts'
import { openRowWriter, type RowWriter, type WrittenRow } from './row-writer.ts'
import { openTagDictionary, type TagDictionary } from './tag-dictionary.ts'
import { noteBlobs } from './unnamed-blobs.ts'
import { growVital, type Growth } from './vital-growth.ts'
import { nameVitals } from './vital-pages.ts'

/** The writing side of the store, with its caches between batches. */
export interface Writer {
  readonly connection: Connection
  readonly dictionary: TagDictionary
  readonly rows: RowWriter
  readonly errors: ErrorRollups
  readonly histograms: HistogramRollups
  /** Projects known to be in `event_projects`. */
  readonly projects: Set<number>
  /** SQLite's counter of changes made by other connections. */
  dataVersion: number
}

export function openWriter(connection: Connection): Writer {
  const dictionary = openTagDictionary(connection)
  return {
    connection,
    dictionary,
    rows: openRowWriter(connection, dictionary),
    errors: openErrorRollups(connection, dictionary),
    histograms: openHistogramRollups(connection),
    projects: new Set(),
    dataVersion: -1,
  }
}

/**
 * Runs the body in one transaction. Clears the caches when it fails, or when another connection has
 * written.
 */
export function writing<T>(writer: Writer, body: () => T): T {
  try {
    return writer.connection.write(() => {
      const version = Number(writer.connection.get('pragma data_version')?.['data_version'])
      if (version !== writer.dataVersion) forget(writer)
      writer.dataVersion = version
      return body()
    })
  } catch (cause) {
    forget(writer)
    throw cause
  }
}

export function forget(writer: Writer): void {
  writer.dictionary.reset()
  writer.rows.reset()
  writer.errors.reset()
  writer.histograms.reset()
  writer.projects.clear()
}

interface Batch {
  readonly writer: Writer
  readonly written: WrittenRow[]
  readonly growths: Growth[]
  readonly outcomes: OutcomeCounts
  readonly outbox: OutboxBatch
}

export function appendEnvelopes(writer: Writer, envelopes: readonly ProcessedEnvelope[]): void {
  if (envelopes.length === 0) return
  writing(writer, () => {
    const { connection } = writer
    const batch: Batch = {
      writer,
      written: [],
      growths: [],
      outcomes: openOutcomeCounts(connection),
      outbox: openOutboxBatch(connection),
    }
    for (const envelope of envelopes) appendEnvelope(batch, envelope)
    writeRollups(batch)
    writeAllPayloads(batch)
    batch.outcomes.write()
    batch.outbox.write()
  })
}

function appendEnvelope(batch: Batch, envelope: ProcessedEnvelope): void {
  const { connection, projects } = batch.writer
  const isNew = connection.run(
    'insert into applied_deliveries (delivery_id) values (?) on conflict do nothing',
    envelope.deliveryId,
  )
  if (isNew === 0) {
    // A repeated delivery has written its blobs again, including those that are not kept.
    for (const item of envelope.items) noteBlobs(connection, envelope.projectId, item)
    return
  }
  if (!projects.has(envelope.projectId)) {
    connection.run(
      'insert into event_projects (project_id) values (?) on conflict do nothing',
      envelope.projectId,
    )
    projects.add(envelope.projectId)
  }
  const isRemoved = envelope.items.some((item) => isOfRemovedReplay(batch, envelope, item))
  for (const item of envelope.items) appendItem(batch, envelope, item, isRemoved)
}

function appendItem(
  batch: Batch,
  envelope: ProcessedEnvelope,
  item: ProcessedItem,
  isOfRemoved: boolean,
): void {
  const { projectId, receivedAt } = envelope
  const { outcome, reason } = outcomeOf(batch, envelope, item, isOfRemoved)
  noteBlobs(batch.writer.connection, projectId, item)
  batch.outcomes.count({
    projectId,
    receivedAt,
    type: item.type,
    outcome,
    reason,
    items: 1,
    quantity: item.quantity,
  })
  for (const part of item.refusedParts ?? []) {
    if (outcome === 'duplicate') break
    const { refusal, quantity } = part
    const { outcome: partOutcome, reason: partReason } = refusal
    const counted = { projectId, receivedAt, type: item.type, items: 0, quantity }
    batch.outcomes.count({ ...counted, outcome: partOutcome, reason: partReason })
  }
  if (outcome !== 'accepted') return
  batch.outbox.add(projectId, receivedAt, item.effects)
  for (const discard of item.discards ?? []) {
    batch.outcomes.count({
      projectId,
      receivedAt,
      type: discard.category,
      outcome: 'client_discard',
      reason: discard.reason,
      items: 0,
      quantity: discard.quantity,
    })
  }
}

function outcomeOf(
  batch: Batch,
  envelope: ProcessedEnvelope,
  item: ProcessedItem,
  isOfRemoved: boolean,
): { readonly outcome: string; readonly reason: string | null } {
  if (item.refusal !== null) return item.refusal
  // A recording beside its event has no row; the event's row names the replay.
  const isBareRecording = item.rows.length === 0 && item.type === 'replay_recording'
  if (isOfRemovedReplay(batch, envelope, item) || (isBareRecording && isOfRemoved)) {
    return { outcome: 'filtered', reason: 'replay_removed' }
  }
  const isNew =
    item.rows.length === 0 ? isNewIdentity(batch, envelope, item) : writeRows(batch, envelope, item)
  return { outcome: isNew ? 'accepted' : 'duplicate', reason: null }
}

function isOfRemovedReplay(
  batch: Batch,
  envelope: ProcessedEnvelope,
  item: ProcessedItem,
): boolean {
  const first = item.rows[0]
  if (first?.table !== 'replaySegments') return false
  const replayId = first.columns.replayId ?? ''
  return isRemovedReplay(batch.writer.connection, { projectId: envelope.projectId, replayId })
}

function isNewIdentity(batch: Batch, envelope: ProcessedEnvelope, item: ProcessedItem): boolean {
  if (item.identity === undefined) return true
  const added = batch.writer.connection.run(
    'insert into item_identities (project_id, identity) values (?, ?) on conflict do nothing',
    envelope.projectId,
    item.identity,
  )
  return added !== 0
}

/** Writes the item's rows; returns whether it is accepted. Entries count each, else the first row decides. */
function writeRows(batch: Batch, envelope: ProcessedEnvelope, item: ProcessedItem): boolean {
  const isContainer = itemTypeFacts(item.type).content === 'entries'
  let isAccepted = false
  for (const [index, row] of item.rows.entries()) {
    const written = batch.writer.rows.insert(envelope.projectId, envelope.receivedAt, row)
    if (written !== null) {
      batch.written.push(written)
      isAccepted = true
    } else if (row.table === 'vitals') {
      const growth = growVital(batch.writer.connection, envelope.projectId, row)
      if (growth !== null) batch.growths.push(growth)
    } else if (index === 0 && !isContainer) {
      return false
    }
  }
  return isAccepted
}

function writeRollups(batch: Batch): void {
  const { writer, written, growths } = batch
  const errors: ErrorFact[] = []
  const measured: MeasuredFact[] = []
  const segmented = new Map<string, ReplayName>()
  const linked = new Map<string, ReplayName>()
  for (const one of written) {
    const { row, projectId } = one
    const fact = measuredFactOf(one)
    if (fact !== null) measured.push(fact)
    if (row.table === 'errors') {
      errors.push(errorFactOf(one, row))
      noteReplay(linked, projectId, row.columns.replayId)
    } else if (row.table === 'replaySegments') {
      noteReplay(segmented, projectId, row.columns.replayId)
    }
  }
  writer.errors.add(errors)
  writer.histograms.add([...measured, ...growths.map(({ after }) => after)])
  writer.histograms.subtract(growths.map(({ before }) => before))
  nameVitals(writer.connection, writer.histograms, written)
  for (const [name, replay] of segmented) {
    deriveReplay(writer.connection, replay)
    linked.delete(name)
  }
  relinkErrors(writer.connection, linked.values())
}

function errorFactOf(written: WrittenRow, row: Extract<Row, { table: 'errors' }>): ErrorFact {
  return {
    id: written.id,
    projectId: written.projectId,
    hash: row.columns.groupingHash ?? null,
    timestamp: row.timestamp,
    userKey: row.columns.userKey ?? null,
    pairs: written.pairs,
  }
}

function noteReplay(
  replays: Map<string, ReplayName>,
  projectId: number,
  replayId: string | null | undefined,
): void {
  if (typeof replayId === 'string') replays.set(`${projectId} ${replayId}`, { projectId, replayId })
}

function writeAllPayloads(batch: Batch): void {
  const byTableAndDay = new Map<string, { table: TableName; entries: PayloadEntry[] }>()
  for (const { id, row } of batch.written) {
    if (row.payload === undefined) continue
    const name = `${row.table} ${dayOfId(id)}`
    let group = byTableAndDay.get(name)
    if (group === undefined) byTableAndDay.set(name, (group = { table: row.table, entries: [] }))
    group.entries.push({ id, bytes: Buffer.from(row.payload, 'utf8') })
  }
  for (const { table, entries } of byTableAndDay.values()) {
    writePayloads(batch.writer.connection, layouts[table].number, entries)
  }
}
