import type { Metadata } from 'next'
import { mainRead } from '../../../data/answer.ts'
import { projectInView } from '../../../data/projects-in-view.ts'
import { requireSession } from '../../../data/session.ts'
import { issuesPath, loadStream } from '../../../data/stream.ts'
import { FirstProject, isUntouched } from '../../../features/onboarding/first-project.tsx'
import { LedeZone } from '../../../features/stream/lede-line.tsx'
import { PageFoot } from '../../../features/stream/page-foot.tsx'
import { NothingHere } from '../../../features/stream/nothing-here.tsx'
import {
  readStreamFilter,
  streamHref,
  streamSearch,
} from '../../../features/stream/stream-filter.ts'
import { FilterRow, ViewRow } from './stream-controls.tsx'
import styles from './page.module.css'
import { StreamTable } from './stream-table.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { RefusedState } from '../../../ui/state.tsx'

export const metadata: Metadata = { title: 'Issues' }

/** Draws the issue stream: a summary of the changes, then the issues. */
export default async function IssuesPage(props: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const params = await props.searchParams
  const filter = readStreamFilter(params)
  const { projects } = await requireSession(streamHref(filter, { cursor: filter.cursor }))
  const project = projectInView(projects, filter.project)
  const now = Date.now()
  const { found, overview, environments, members } = await loadStream(filter, projects)
  const issues = mainRead(found.answer)
  if (project === null && isUntouched(projects) && issues.isOk && issues.value.length === 0) {
    return <FirstProject />
  }
  return (
    <>
      {overview.isOk ? (
        <LedeZone overview={overview.value} filter={filter} projects={projects} now={now} />
      ) : (
        <h1 className="visually-hidden">Issues</h1>
      )}
      <FilterRow filter={filter} environments={environments} problems={found.problems} />
      <ViewRow filter={filter} counts={overview.isOk ? overview.value.views : {}} />
      {issues.isOk ? (
        <>
          <StreamTable
            key={streamSearch(filter)}
            issues={issues.value}
            path={issuesPath({ ...filter, query: found.query }, projects)}
            query={filter.query}
            issueSearch={streamSearch({ ...filter, cursor: null })}
            newestRelease={overview.isOk ? (overview.value.newestRelease?.version ?? null) : null}
            matching={issues.hits}
            members={members}
            drawnAt={now}
            nothing={
              <NothingHere
                filter={filter}
                projects={projects}
                project={project}
                events={overview.isOk ? overview.value.events : null}
              />
            }
          />
          <PageFoot
            shown={issues.value.length}
            hits={issues.hits}
            previous={
              issues.previous === null ? null : streamHref(filter, { cursor: issues.previous })
            }
            next={issues.next === null ? null : streamHref(filter, { cursor: issues.next })}
          />
        </>
      ) : (
        <div className={styles['failed']}>
          <RefusedState
            isPage
            status={issues.status}
            detail={issues.detail}
            action={<ButtonLink href={streamHref(filter)}>Try again</ButtonLink>}
          />
        </div>
      )}
    </>
  )
}
