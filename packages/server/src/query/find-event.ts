import type { StoredRow } from '../storage/events/tables.ts'
import { issuesOfHashes } from './issue-hashes.ts'
import type { Stores } from './stores.ts'

export type FoundEvent =
  | { readonly type: 'error'; readonly row: StoredRow<'errors'>; readonly issueId: number | null }
  | { readonly type: 'transaction'; readonly row: StoredRow<'transactions'> }

/** An event by its id, error or transaction alike; null when there is none. Without a project, of any. */
export async function findEvent(
  stores: Stores,
  projectId: number | null,
  eventId: string,
): Promise<FoundEvent | null> {
  const error = await stores.events.point('errors', projectId, [eventId])
  if (error !== null) return { type: 'error', row: error, issueId: await issueOf(stores, error) }
  const transaction = await stores.events.point('transactions', projectId, [eventId])
  return transaction === null ? null : { type: 'transaction', row: transaction }
}

/** The issue an error belongs to; null until metadata has learned of it. */
export async function issueOf(
  { metadata }: Stores,
  row: StoredRow<'errors'>,
): Promise<number | null> {
  const hash = row.columns.groupingHash
  if (hash === null) return null
  return (await issuesOfHashes(metadata, row.projectId, [hash])).get(hash) ?? null
}
