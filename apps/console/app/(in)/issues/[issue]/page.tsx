import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { mainRead } from '../../../../data/answer.ts'
import { loadAttachments, loadEvent, loadIssue, loadReleases } from '../../../../data/issue.ts'
import { membersOf } from '../../../../data/members.ts'
import { findReplay } from '../../../../data/replays.ts'
import { requireSession } from '../../../../data/session.ts'
import { issueViewOf } from '../../../../features/issue/issue-view.ts'
import { readStreamFilter, streamSearch } from '../../../../features/stream/stream-filter.ts'
import { RefusedState } from '../../../../ui/state.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { IssuePageView } from './issue-page-view.tsx'
import { issueMetadata, type IssueProps } from './issue-props.ts'

export function generateMetadata(props: IssueProps): Promise<Metadata> {
  return issueMetadata(props, 'Issue', ({ title, shortId }) => `${title.slice(0, 80)} · ${shortId}`)
}

/** Draws one issue and one of its events, under the reader's filter. */
export default async function IssuePage(props: IssueProps) {
  const [{ issue: id }, params] = await Promise.all([props.params, props.searchParams])
  const filter = readStreamFilter(params)
  await requireSession(`/issues/${encodeURIComponent(id)}`)
  const which = typeof params['event'] === 'string' ? params['event'] : 'recommended'
  const lens = { query: filter.query, environment: filter.environment }
  const [answer, inFilter, members] = await Promise.all([
    loadIssue(id),
    loadEvent(id, which, lens),
    membersOf(),
  ])
  const issue = mainRead(answer)
  if (!issue.isOk) {
    if (issue.status === 404) notFound()
    return (
      <RefusedState
        isPage
        {...issue}
        action={<ButtonLink href={`/issues/${id}`}>Try again</ButtonLink>}
      />
    )
  }
  // The filter may match no event of this issue; any event is then better than an empty page.
  const isOutside = !inFilter.isOk && inFilter.status === 404 && which.length < 32
  const event = isOutside ? await loadEvent(id, which, { query: '', environment: null }) : inFilter
  const slug = issue.value.project.slug
  const now = Date.now()
  const view = issueViewOf(issue.value, event.isOk ? event.value : null, now)
  const replayId = event.isOk ? event.value.replayId : null
  const [attachments, replay, releases] = await Promise.all([
    event.isOk ? loadAttachments(slug, event.value.eventID) : [],
    replayId === null ? null : findReplay(replayId),
    loadReleases(issue.value.project.id, view.isYoung ? '24h' : '14d'),
  ])
  return (
    <IssuePageView
      issue={issue.value}
      event={event.isOk ? event.value : null}
      eventProblem={event.isOk ? null : event}
      which={which.length < 32 ? which : null}
      isOutside={isOutside}
      view={view}
      // An event may name a replay that was never sent, was removed, or belongs to another project.
      replay={
        replay?.isOk === true ? { id: replay.value.id, project: replay.value.project_id } : null
      }
      attachments={attachments}
      releases={releases}
      members={members}
      search={streamSearch(filter)}
      filter={filter}
    />
  )
}
