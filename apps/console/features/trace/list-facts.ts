import type { ApiTransactionSummary } from '@afterimage/protocol/api/trace'
import { exactNumber } from '../../ui/time-words.ts'
import { duration } from '../replay/timeline/clock.ts'

export interface ListPart {
  readonly text: string
  /** The page or route that the words name: it becomes a filter. */
  readonly transaction?: string
}

/** Fewer visits are too few for a general statement. */
export const visitsMin = 20

/**
 * Writes the sentence above the list of pages and routes: the slowest by its third quartile, and the one
 * that fails most. Only those with enough measurements count; `hasMore` when the list is not complete.
 */
export function tracesSentence(
  rows: readonly ApiTransactionSummary[],
  hasMore: boolean,
): readonly ListPart[] {
  if (rows.length === 0) return [{ text: 'No traces.' }]
  const known = rows.filter((row) => row.count >= visitsMin && row.p75 !== null)
  const slowest = known.reduce<ApiTransactionSummary | null>(
    (worst, row) => ((row.p75 ?? 0) > (worst?.p75 ?? -1) ? row : worst),
    null,
  )
  const failing = known.reduce<ApiTransactionSummary | null>(
    (worst, row) => (row.failure_rate > (worst?.failure_rate ?? 0) ? row : worst),
    null,
  )
  const subject = hasMore
    ? `The first ${rows.length} pages and routes`
    : rows.length === 1
      ? 'One page or route'
      : `${rows.length} pages and routes`
  const parts: ListPart[] = []
  if (slowest === null) return [{ text: `${subject}, each with fewer than ${visitsMin} visits.` }]
  parts.push(
    { text: `${subject}; a quarter of the visits to ` },
    { text: slowest.transaction, transaction: slowest.transaction },
    { text: ` take longer than ${duration(slowest.p75 ?? 0)}` },
  )
  if (failing === null) parts.push({ text: ', and none fails.' })
  else {
    parts.push(
      { text: ', and ' },
      { text: failing.transaction, transaction: failing.transaction },
      { text: ` fails in ${percent(failing.failure_rate)} of ${exactNumber(failing.count)}.` },
    )
  }
  return parts
}

/** Says of how many visits a share of failures was counted: "5 of 40 visits". */
export function failuresOf(row: Pick<ApiTransactionSummary, 'count' | 'failure_rate'>): string {
  const failed = Math.round(row.failure_rate * row.count)
  return `${exactNumber(failed)} of ${exactNumber(row.count)} ${row.count === 1 ? 'visit' : 'visits'}`
}

/** `12 %`, `0.4 %`. */
export function percent(share: number): string {
  const value = share * 100
  return `${value >= 10 || value === 0 ? Math.round(value) : Number(value.toFixed(1))} %`
}
