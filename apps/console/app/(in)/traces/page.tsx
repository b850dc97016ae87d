import type { Metadata } from 'next'
import { mainRead } from '../../../data/answer.ts'
import { requireSession } from '../../../data/session.ts'
import { listTraces, listTransactions } from '../../../data/traces.ts'
import { listedProject, projectInView } from '../../../data/projects-in-view.ts'
import { readListFilter } from '../../../features/listing/list-filter.ts'
import { transactionSorts } from '../../../features/trace/trace-sorts.ts'
import { TracesList } from '../../../features/trace/traces-list.tsx'

export const metadata: Metadata = { title: 'Traces' }

/** Lists pages and routes over the chosen time, and the newest traces. */
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
  projectInView(session.projects, filter.project)
  return (
    <TracesList
      filter={filter}
      transactions={mainRead(transactions.answer)}
      traces={mainRead(traces.answer)}
      problems={traces.problems}
      projects={session.projects.map(listedProject)}
    />
  )
}
