import type { StoredRow } from '../storage/events/tables.ts'
import { issuesOfHashes } from '../issues/hashes.ts'
import type { Stores } from '../storage/stores.ts'

export type FoundEvent =
  | { readonly type: 'error'; readonly row: StoredRow<'errors'>; readonly issueId: number | null }
  | { readonly type: 'transaction'; readonly row: StoredRow<'transactions'> }

/** Finds an error or a transaction by its id, or null. Without a project, it searches all of them. */
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
