import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { mainRead } from '../../../../data/answer.ts'
import { eventsOf, findReplay } from '../../../../data/replays.ts'
import { requireSession } from '../../../../data/session.ts'
import { personOf } from '../../../../features/replay/replay-facts.ts'
import { replayErrorOf } from '../../../../features/replay/replay-error.ts'
import { parseOffset } from '../../../../features/replay/timeline/clock.ts'
import { RefusedState } from '../../../../ui/state.tsx'
import { ReplayView } from './replay-view.tsx'

interface Props {
  readonly params: Promise<{ replay: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const answer = await findReplay((await params).replay)
  if (!answer.isOk && (answer.status === 404 || answer.status === 400)) notFound()
  return { title: answer.isOk ? `Replay of ${personOf(answer.value)}` : 'Replay' }
}

/** Plays one replay. */
export default async function ReplayPage({ params, searchParams }: Props) {
  const [{ replay: id }, search, session] = await Promise.all([
    params,
    searchParams,
    requireSession(),
  ])
  const answer = mainRead(await findReplay(id))
  if (!answer.isOk) {
    if (answer.status === 404 || answer.status === 400) notFound()
    return <RefusedState status={answer.status} detail={answer.detail} />
  }
  const replay = answer.value
  const project = session.projects.find((one) => one.id === String(replay.project_id))
  const errors = (await eventsOf(replay)).map(replayErrorOf)
  const { t, at } = search
  const moment = typeof at === 'string' && /^\d{10,14}$/.test(at) ? Number(at) : null
  return (
    <ReplayView
      replay={replay}
      errors={errors}
      project={project?.slug ?? String(replay.project_id)}
      moment={moment}
      startAt={parseOffset(typeof t === 'string' ? t : null)}
    />
  )
}
