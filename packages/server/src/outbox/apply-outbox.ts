import { AppError } from '../errors.ts'
import { recordReleases, type SeenRelease } from '../releases/record-releases.ts'
import type { EventStore, OutboxEntry } from '../storage/events/port.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import { RefusedValue } from '../storage/refused-value.ts'
import { applyIssueEffects } from '../issues/apply-effects.ts'
import { applyMonitorEffects } from '../monitors/apply-effects.ts'
import { OUTBOX_BATCH_MAX } from '../issues/limits.ts'

/**
 * Applies what the events store has written since the last time: issues, releases, environments,
 * monitors, and each project's first event. Every entry is applied once, whatever dies in between:
 * the place in the outbox moves in the same transaction. Entries of projects that are gone are
 * passed over. The final state does not depend on the order in which events arrived (ids do).
 * Returns the number of entries applied. An entry that we ourselves cannot apply is passed over, so
 * that it stops no other, and thrown once the rest of its batch is applied; call again to go on.
 */
export async function applyOutbox(metadata: Metadata, events: EventStore): Promise<number> {
  let applied = 0
  for (;;) {
    const step = await applyNext(metadata, events)
    applied += step
    if (step < OUTBOX_BATCH_MAX) return applied
  }
}

async function applyNext(metadata: Metadata, events: EventStore): Promise<number> {
  try {
    return await metadata.transaction((tx) => applyBatch(tx, events, OUTBOX_BATCH_MAX))
  } catch (cause) {
    if (!isOwnMistake(cause)) throw cause
  }
  let failure: Error | null = null
  for (let applied = 0; applied < OUTBOX_BATCH_MAX; applied += 1) {
    try {
      const step = await metadata.transaction((tx) => applyBatch(tx, events, 1))
      if (step === 0) break
    } catch (cause) {
      if (!isOwnMistake(cause)) throw cause
      const sequence = await metadata.transaction((tx) => passOver(tx, events))
      failure ??= new Error(`Entry ${sequence} of the outbox was skipped.`, { cause })
    }
  }
  if (failure !== null) throw failure
  return OUTBOX_BATCH_MAX
}

/** As opposed to failing surroundings, which are waited out. */
function isOwnMistake(cause: unknown): boolean {
  return !(cause instanceof AppError) || cause instanceof RefusedValue
}

async function passOver(tx: MetadataReader, events: EventStore): Promise<number> {
  const [entry] = await events.outbox(await readCursor(tx), 1)
  if (entry === undefined) return 0
  await moveCursor(tx, entry.sequence)
  return entry.sequence
}

async function moveCursor(tx: MetadataReader, sequence: number): Promise<void> {
  await tx.all('update outbox_cursor set sequence = ? where id = 1', sequence)
}

/**
 * Returns the last outbox entry that metadata has applied; `EventStore.maintain` may delete up to
 * there.
 */
export async function appliedSequence(metadata: Metadata): Promise<number> {
  return readCursor(metadata)
}

async function readCursor(reader: Metadata | MetadataReader): Promise<number> {
  const [row] = await reader.all<{ sequence: number }>(
    'select sequence from outbox_cursor where id = 1',
  )
  return row?.sequence ?? 0
}

async function applyBatch(tx: MetadataReader, events: EventStore, max: number): Promise<number> {
  const entries = await events.outbox(await readCursor(tx), max)
  const last = entries.at(-1)
  if (last === undefined) return 0
  const slugs = await slugsOf(tx, new Set(entries.map((entry) => entry.projectId)))
  const known = entries.filter((entry) => slugs.has(entry.projectId))
  await recordFirstEvents(tx, known)
  // Before the issues: whether an event reopens one may depend on its release's date.
  await recordReleases(
    tx,
    known.map(seenRelease).filter((seen) => seen !== null),
  )
  await applyIssueEffects({ tx, events, slugs }, known)
  await applyMonitorEffects(tx, known)
  await moveCursor(tx, last.sequence)
  return entries.length
}

async function slugsOf(
  tx: MetadataReader,
  projectIds: ReadonlySet<number>,
): Promise<Map<number, string>> {
  const rows = await tx.all<{ id: number; slug: string }>(
    `select id, slug from projects where id in (${placeholders([...projectIds])})`,
    ...projectIds,
  )
  return new Map(rows.map((row) => [row.id, row.slug]))
}

async function recordFirstEvents(
  tx: MetadataReader,
  entries: readonly OutboxEntry[],
): Promise<void> {
  const firstAt = new Map<number, number>()
  for (const { projectId, receivedAt } of entries) {
    firstAt.set(projectId, Math.min(firstAt.get(projectId) ?? receivedAt, receivedAt))
  }
  for (const [projectId, at] of firstAt) {
    await tx.all(
      `update projects set first_event_at = ?
       where id = ? and (first_event_at is null or first_event_at > ?)`,
      Math.round(at),
      projectId,
      Math.round(at),
    )
  }
}

function seenRelease({ projectId, effect }: OutboxEntry): SeenRelease | null {
  if (effect.type === 'monitor') return null
  const { release, environment, timestamp } = effect
  return { projectId, release, environment, at: Math.round(timestamp) }
}
