import type { Metadata } from 'next'
import { requireSession } from '../../../data/session.ts'
import { listTraces, listTransactions } from '../../../data/traces.ts'
import { readListFilter } from '../../../features/listing/list-filter.ts'
import { transactionSorts } from '../../../features/trace/trace-sorts.ts'
import { TracesList } from '../../../features/trace/traces-list.tsx'

export const metadata: Metadata = { title: 'Traces' }

/** Pages and routes over the chosen time, and the newest traces. */
export default async function TracesPage(props: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const filter = readListFilter(
    await props.searchParams,
    transactionSorts.flatMap(({ id }) => id ?? []),
  )
  const [session, transactions, traces] = await Promise.all([
    requireSession(),
    listTransactions(filter),
    listTraces(filter),
  ])
  return (
    <TracesList
      filter={filter}
      transactions={transactions}
      traces={traces}
      projects={session.projects.map(({ slug, name }) => ({ slug, name }))}
    />
  )
}
