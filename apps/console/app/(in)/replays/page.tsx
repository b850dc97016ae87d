import type { Metadata } from 'next'
import { listReplays } from '../../../data/replays.ts'
import { requireSession } from '../../../data/session.ts'
import { ReplayList } from '../../../features/replay/replay-list.tsx'
import { readListFilter } from '../../../features/listing/list-filter.ts'
import { replaySorts } from '../../../features/replay/replay-sorts.ts'

export const metadata: Metadata = { title: 'Replays' }

/** The replays of the chosen project and time, newest first. */
export default async function ReplaysPage(props: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const filter = readListFilter(
    await props.searchParams,
    replaySorts.flatMap(({ id }) => id ?? []),
  )
  const [session, answer] = await Promise.all([requireSession(), listReplays(filter)])
  return (
    <ReplayList
      filter={filter}
      answer={answer}
      projects={session.projects.map(({ id, slug, name }) => ({ id, slug, name }))}
    />
  )
}
