import type { Metadata } from 'next'
import { mainRead } from '../../../data/answer.ts'
import { listReplays } from '../../../data/replays.ts'
import { requireSession } from '../../../data/session.ts'
import { ReplayList } from '../../../features/replay/replay-list.tsx'
import { listedProject, projectInView } from '../../../data/projects-in-view.ts'
import { readListFilter } from '../../../features/listing/list-filter.ts'
import { replaySorts } from '../../../features/replay/replay-sorts.ts'

export const metadata: Metadata = { title: 'Replays' }

/** Lists the replays of the chosen project and time, newest first. */
export default async function ReplaysPage(props: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const filter = readListFilter(
    await props.searchParams,
    replaySorts.flatMap(({ id }) => id ?? []),
  )
  const [session, found] = await Promise.all([requireSession(), listReplays(filter)])
  projectInView(session.projects, filter.project)
  return (
    <ReplayList
      filter={filter}
      answer={mainRead(found.answer)}
      problems={found.problems}
      projects={session.projects.map(listedProject)}
    />
  )
}
