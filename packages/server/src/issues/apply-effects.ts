import type { EventStore, IssueEffect, OutboxEntry } from '../storage/events/port.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import { createIssue } from './create.ts'
import { type IssueRow, recordActivity, reopen, saveIssue } from './row.ts'
import { EVENT_HASHES_MAX } from './limits.ts'
import { archiveEnds, isRegression } from './reopening.ts'

interface Stores {
  readonly tx: MetadataReader
  readonly events: EventStore
  readonly slugs: ReadonlyMap<number, string>
}

/** The data that a batch has read and will write. */
interface Batch {
  /** `<project id> <hash>` → issue id. */
  readonly issueOf: Map<string, number>
  readonly issues: Map<number, IssueRow>
  readonly dirty: Set<IssueRow>
  /** Archived issues that had an event, with its greatest time of receipt. */
  readonly archived: Map<IssueRow, number>
}

/**
 * Gives every event its issue and lets it change what the issue says. An event's hashes are looked
 * up in order, those of earlier ways of grouping last; the first one known wins, and the issue takes
 * those of today that nobody knows.
 */
export async function applyIssueEffects(
  stores: Stores,
  entries: readonly OutboxEntry[],
): Promise<void> {
  const batch = await loadBatch(stores.tx, entries)
  for (const { projectId, receivedAt, effect } of entries) {
    if (effect.type !== 'issue' || effect.hashes.length === 0) continue
    const issue = await findOrCreate(stores, batch, { projectId, effect })
    update(issue, effect)
    batch.dirty.add(issue)
    if (issue.status === 'resolved') await regress(stores.tx, issue, { effect, receivedAt })
    if (issue.status === 'ignored') {
      batch.archived.set(issue, Math.max(receivedAt, batch.archived.get(issue) ?? 0))
    }
  }
  for (const [issue, receivedAt] of batch.archived) await unarchive(stores, issue, receivedAt)
  for (const issue of batch.dirty) await saveIssue(stores.tx, issue)
}

async function loadBatch(tx: MetadataReader, entries: readonly OutboxEntry[]): Promise<Batch> {
  const wanted = new Map<number, Set<string>>()
  for (const { projectId, effect } of entries) {
    if (effect.type !== 'issue') continue
    const hashes = wanted.get(projectId) ?? new Set<string>()
    for (const hash of knownBy(effect)) hashes.add(hash)
    wanted.set(projectId, hashes)
  }
  const batch: Batch = {
    issueOf: new Map(),
    issues: new Map(),
    dirty: new Set(),
    archived: new Map(),
  }
  for (const [projectId, hashes] of wanted) {
    const rows = await tx.all<{ hash: string; issue_id: number }>(
      `select hash, issue_id from issue_hashes
       where project_id = ? and hash in (${placeholders([...hashes])})`,
      projectId,
      ...hashes,
    )
    for (const row of rows) batch.issueOf.set(`${projectId} ${row.hash}`, row.issue_id)
  }
  const ids = [...new Set(batch.issueOf.values())]
  const issues = await tx.all<IssueRow>(
    `select * from issues where id in (${placeholders(ids)})`,
    ...ids,
  )
  for (const issue of issues) batch.issues.set(issue.id, { ...issue })
  return batch
}

/** The hashes by which an event may find its issue, in order. */
function knownBy({ hashes, formerHashes = [] }: IssueEffect): readonly string[] {
  return [...hashes.slice(0, EVENT_HASHES_MAX), ...formerHashes.slice(0, EVENT_HASHES_MAX)]
}

async function findOrCreate(
  { tx, slugs }: Stores,
  batch: Batch,
  { projectId, effect }: { readonly projectId: number; readonly effect: IssueEffect },
): Promise<IssueRow> {
  const hashes = [...new Set(effect.hashes.slice(0, EVENT_HASHES_MAX))]
  let issue: IssueRow | undefined
  for (const hash of knownBy(effect)) {
    issue ??= batch.issues.get(batch.issueOf.get(`${projectId} ${hash}`) ?? -1)
  }
  issue ??= await createIssue(tx, { id: projectId, slug: slugs.get(projectId) ?? '' }, effect)
  batch.issues.set(issue.id, issue)
  for (const hash of hashes) {
    const key = `${projectId} ${hash}`
    if (batch.issueOf.has(key)) continue
    batch.issueOf.set(key, issue.id)
    await tx.all(
      'insert into issue_hashes (project_id, hash, issue_id, grouping_version) values (?, ?, ?, ?)',
      projectId,
      hash,
      issue.id,
      effect.groupingVersion,
    )
  }
  return issue
}

/** Takes what the newest event says, and widens the span of times and releases. */
function update(issue: IssueRow, effect: IssueEffect): void {
  const at = Math.round(effect.timestamp)
  const isNewest =
    at > issue.last_seen || (at === issue.last_seen && effect.eventId >= issue.newest_event_id)
  if (isNewest) {
    issue.title = effect.title
    issue.culprit = effect.culprit
    issue.kind = effect.kind
    issue.metadata = JSON.stringify(effect.metadata)
    issue.level = effect.level
    issue.platform = effect.platform
    issue.logger = effect.logger
    issue.grouping_version = effect.groupingVersion
    issue.last_seen = at
    issue.newest_event_id = effect.eventId
  }
  issue.first_seen = Math.min(issue.first_seen, at)
  if (effect.handled === false) issue.is_unhandled = 1
  if (effect.release !== null) widenReleases(issue, effect.release, at)
}

/** Between events of the same moment the release's name decides, so that order of arrival does not. */
function widenReleases(issue: IssueRow, release: string, at: number): void {
  const { first_release: first, first_release_at: firstAt } = issue
  if (first === null || firstAt === null || at < firstAt || (at === firstAt && release < first)) {
    issue.first_release = release
    issue.first_release_at = at
  }
  const { last_release: last, last_release_at: lastAt } = issue
  if (last === null || lastAt === null || at > lastAt || (at === lastAt && release > last)) {
    issue.last_release = release
    issue.last_release_at = at
  }
}

async function regress(
  tx: MetadataReader,
  issue: IssueRow,
  { effect, receivedAt }: { readonly effect: IssueEffect; readonly receivedAt: number },
): Promise<void> {
  if (!(await isRegression(tx, issue, { release: effect.release, receivedAt }))) return
  reopen(issue, 'regressed', Math.round(receivedAt))
  await recordActivity(tx, {
    issueId: issue.id,
    type: 'set_regression',
    userId: null,
    at: Math.round(receivedAt),
    data: { eventId: effect.eventId, version: effect.release },
  })
}

async function unarchive(stores: Stores, issue: IssueRow, receivedAt: number): Promise<void> {
  const substatus = await archiveEnds(stores, issue, receivedAt)
  if (substatus === null) return
  reopen(issue, substatus, Math.round(receivedAt))
  await recordActivity(stores.tx, {
    issueId: issue.id,
    type: 'set_unresolved',
    userId: null,
    at: Math.round(receivedAt),
    data: { reason: substatus === 'escalating' ? 'escalating' : 'condition_met' },
  })
}
