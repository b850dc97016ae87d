'use client'

import type {
  ApiAttachment,
  ApiEvent,
  ApiIssueDetail,
  ApiIssueOverview,
} from '@afterimage/protocol/api'
import { useCallback, useState } from 'react'
import { Histogram } from '../../../../chart/histogram.tsx'
import { Activity } from '../../../../features/issue/activity.tsx'
import {
  Attachments,
  Contexts,
  contextGroups,
  EventTags,
  Problems,
  Request,
} from '../../../../features/issue/details.tsx'
import { EventBar } from '../../../../features/issue/event-bar.tsx'
import { factsOf } from '../../../../features/issue/facts.ts'
import { FactLine } from '../../../../features/issue/fact-line.tsx'
import { IssueActions } from '../../../../features/issue/issue-actions.tsx'
import { IssueHead } from '../../../../features/issue/issue-head.tsx'
import type { IssueView } from '../../../../features/issue/issue-view.ts'
import { Rail } from '../../../../features/issue/rail.tsx'
import { SecondsBefore } from '../../../../features/issue/seconds-before.tsx'
import { ShareDialog } from '../../../../features/issue/share-dialog.tsx'
import { StackTrace } from '../../../../features/issue/stack-trace.tsx'
import { Tags } from '../../../../features/issue/tags.tsx'
import type { ClipCursor } from '../../../../features/replay/clip.tsx'
import type { Member } from '../../../../features/stream/assign-menu.tsx'
import { titleParts } from '../../../../features/stream/issue-title.ts'
import { shortVersion } from '../../../../features/stream/lede.ts'
import { streamHref, type StreamFilter } from '../../../../features/stream/stream-filter.ts'
import { withFilter } from '../../../../features/search/tokens.ts'
import { RefusedState } from '../../../../ui/state.tsx'
import { Crumbs } from './crumbs.tsx'
import { EventClip } from './event-clip.tsx'
import styles from './issue-page-view.module.css'
import { useIssueActions } from './use-issue-actions.ts'

interface ViewProps {
  readonly issue: ApiIssueDetail
  readonly event: ApiEvent | null
  readonly eventProblem: { readonly status: number; readonly detail: string } | null
  /** `recommended`, `latest`, `oldest`; null when the address names an event. */
  readonly which: string | null
  /** True when no event of this issue matches the filter; the event shown then does not match either. */
  readonly isOutside: boolean
  readonly view: IssueView
  /** The replay that the event is in; null when it has no replay. */
  readonly replay: { readonly id: string; readonly project: string } | null
  readonly attachments: readonly ApiAttachment[]
  readonly releases: ApiIssueOverview['releases']
  readonly members: readonly Member[]
  readonly search: string
  readonly filter: StreamFilter
}

/** Draws the issue's page, wired to the API. */
export function IssuePageView(props: ViewProps) {
  const { event, filter, view } = props
  const actions = useIssueActions(props.issue, event)
  const issue = actions.issue
  return (
    <>
      <div className={styles['crumbs']}>
        <Crumbs issue={issue} listHref={streamHref(filter)} />
      </div>
      <div className={styles['case']}>
        <IssueHead
          issue={issue}
          event={event}
          standfirst={view.standfirst}
          actions={
            <IssueActions
              issue={issue}
              onAct={actions.act}
              onShare={() => actions.setIsSharing(true)}
              onAssign={() => actions.setIsAssigning(true)}
              markdown={actions.markdown}
            />
          }
        />
        <div className={styles['body']}>
          <IssueHistogram {...props} />
          <EventPart {...props} issue={issue} />
        </div>
        <Rail
          issue={issue}
          members={props.members}
          onAssign={actions.assign}
          isAssigning={actions.isAssigning}
          onAssigning={actions.setIsAssigning}
          releaseHref={(release) =>
            streamHref(filter, { query: withFilter(filter.query, 'release', release) })
          }
          contents={contentsOf(props)}
          activity={<Activity activity={issue.activity} onComment={actions.comment} />}
        />
      </div>
      <ShareDialog
        isOpen={actions.isSharing}
        onOpenChange={actions.setIsSharing}
        url={issue.share?.url ?? null}
        onCreate={actions.share}
        onRevoke={actions.unshare}
      />
    </>
  )
}

function EventPart(props: ViewProps) {
  const { event, issue } = props
  const base = `/issues/${issue.id}`
  const hrefOf = (which: string) => {
    const params = new URLSearchParams(props.search)
    if (which !== 'recommended') params.set('event', which)
    return `${base}${params.size === 0 ? '' : `?${params.toString()}`}`
  }
  if (event === null) {
    return (
      <RefusedState
        status={props.eventProblem?.status ?? 404}
        detail={props.eventProblem?.detail ?? ''}
      />
    )
  }
  return (
    <>
      <EventBar
        event={event}
        which={props.which}
        hrefOf={hrefOf}
        allHref={`${base}/events${props.search}`}
        jsonHref={`/api/0/organizations/main/issues/${issue.id}/events/${event.eventID}/`}
      />
      {props.isOutside ? (
        <p className={styles['outside']}>
          No event of this issue matches the filter; this one is outside of it.
        </p>
      ) : null}
      <FactLine facts={factsOf(event)} />
      <EventSections {...props} event={event} />
    </>
  )
}

function EventSections(props: ViewProps & { readonly event: ApiEvent }) {
  const { event, issue, filter, replay } = props
  const { kind, text } = titleParts({ title: event.title, metadata: event.metadata })
  const [clock, setClock] = useState<{ of: string; cursor: ClipCursor } | null>(null)
  const onCursor = useCallback(
    (cursor: ClipCursor) => setClock({ of: event.eventID, cursor }),
    [event.eventID],
  )
  return (
    <>
      <SecondsBefore
        steps={props.view.steps}
        error={{ kind, text, level: issue.level }}
        clip={
          replay === null ? null : <EventClip event={event} replay={replay} onCursor={onCursor} />
        }
        cursor={clock?.of === event.eventID ? clock.cursor : null}
        replayHref={
          replay === null
            ? null
            : `/replays/${replay.id}?at=${Date.parse(event.dateClient ?? event.dateCreated)}`
        }
      />
      <StackTrace key={event.eventID} event={event} />
      <Tags
        tags={issue.tags}
        events={Number(issue.count)}
        hrefOf={(key, value) => streamHref(filter, { query: withFilter('', key, value) })}
      />
      <EventTags event={event} />
      <Request event={event} />
      <Contexts event={event} />
      <Attachments
        attachments={props.attachments}
        hrefOf={(file) =>
          `/api/0/projects/main/${issue.project.slug}/events/${event.eventID}/attachments/${encodeURIComponent(file.id)}/?download=1`
        }
      />
      <Problems event={event} />
    </>
  )
}

function IssueHistogram(props: ViewProps) {
  return (
    <div className={styles['histogram']}>
      <Histogram
        series={props.view.series}
        interval={props.view.interval}
        releases={props.releases.map((release) => ({
          version: shortVersion(release.version),
          at: Date.parse(release.firstSeen) / 1000,
        }))}
        height={54}
        hasGrid
        label={`Events of this issue over the last ${props.view.isYoung ? '24 hours' : '14 days'}, with releases`}
      />
    </div>
  )
}

function contentsOf(props: ViewProps) {
  const { event } = props
  if (event === null) return []
  const counted = [
    { id: 'event-tags', label: 'This event', count: event.tags.length },
    ...(event.entries.some((entry) => entry.type === 'request')
      ? [{ id: 'request', label: 'Request' }]
      : []),
    { id: 'contexts', label: 'Contexts', count: contextGroups(event).length },
    { id: 'attachments', label: 'Attachments', count: props.attachments.length },
  ]
  return [
    { id: 'seconds', label: 'The seconds before', count: props.view.steps.length || undefined },
    { id: 'stack', label: 'Stack trace' },
    { id: 'tags', label: 'Tags', count: props.issue.tags.length || undefined },
    // Empty sections are left out of the page.
    ...counted.filter((entry) => entry.count !== 0),
  ]
}
