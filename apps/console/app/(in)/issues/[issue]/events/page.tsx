import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { mainRead } from '../../../../../data/answer.ts'
import { loadEvents, loadIssue } from '../../../../../data/issue.ts'
import { requireSession } from '../../../../../data/session.ts'
import { EventTable } from '../../../../../features/issue/event-table.tsx'
import { PageFoot } from '../../../../../features/stream/page-foot.tsx'
import {
  readStreamFilter,
  streamHref,
  streamSearch,
} from '../../../../../features/stream/stream-filter.ts'
import { RefusedState } from '../../../../../ui/state.tsx'
import { Crumbs } from '../crumbs.tsx'
import { issueMetadata, type IssueProps } from '../issue-props.ts'

export function generateMetadata(props: IssueProps): Promise<Metadata> {
  return issueMetadata(props, 'Events', ({ shortId }) => `Events · ${shortId}`)
}

/** Lists the events of an issue that match the filter, newest first. */
export default async function EventsPage(props: IssueProps) {
  const [{ issue: id }, params] = await Promise.all([props.params, props.searchParams])
  await requireSession(`/issues/${encodeURIComponent(id)}/events`)
  const filter = readStreamFilter(params)
  const answers = await Promise.all([loadIssue(id), loadEvents(id, filter, filter.cursor)])
  const [issue, events] = [mainRead(answers[0]), mainRead(answers[1])]
  if (!issue.isOk) {
    if (issue.status === 404) notFound()
    return <RefusedState isPage {...issue} />
  }
  const base = `/issues/${issue.value.id}`
  const page = (cursor: string) => `${base}/events${streamSearch({ ...filter, cursor })}`
  return (
    <>
      <Crumbs issue={issue.value} listHref={streamHref(filter)} last="All events" />
      {events.isOk ? (
        <>
          <EventTable
            events={events.value}
            title={issue.value.title}
            hrefs={events.value.map((event) => {
              const search = new URLSearchParams(streamSearch({ ...filter, cursor: null }))
              search.set('event', event.eventID)
              return `${base}?${search.toString()}`
            })}
          />
          <PageFoot
            shown={events.value.length}
            hits={events.hits}
            previous={events.previous === null ? null : page(events.previous)}
            next={events.next === null ? null : page(events.next)}
          />
        </>
      ) : (
        <RefusedState isPage {...events} />
      )}
    </>
  )
}
