import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { State } from '../../ui/state.tsx'
import { listHref, listPeriods, type ListFilter } from './list-filter.ts'
import styles from './listing.module.css'

export interface ListedProject {
  readonly slug: string
  readonly name: string
  /** False until the first event of the project arrived. */
  readonly hasEvents: boolean
}

/**
 * Explains why a list of replays or traces has no rows: nothing has arrived yet, the filter lets
 * nothing through, or the time was quiet. `children` says how the things arrive.
 */
export function NothingListed(props: {
  readonly path: string
  /** In the plural: "replays". */
  readonly noun: string
  readonly filter: ListFilter
  readonly projects: readonly ListedProject[]
  readonly children: ReactNode
}) {
  const { path, filter, noun } = props
  const waiting = waitingProject(filter, props.projects)
  const range = listPeriods.find(({ id }) => id === filter.period)?.label ?? filter.period
  return (
    <div className={styles['none']}>
      {waiting !== null ? (
        <State
          isList
          kind="empty"
          title={`No ${noun} yet`}
          action={
            <ButtonLink href={`/projects/${waiting.slug}/start`}>Set up {waiting.name}</ButtonLink>
          }
        >
          {props.children}
        </State>
      ) : filter.query !== '' || filter.environment !== null || filter.cursor !== null ? (
        <State
          isList
          kind="nothing"
          title="Nothing matches"
          action={
            <ButtonLink href={listHref(path, filter, { query: '', environment: null })}>
              Clear the filter
            </ButtonLink>
          }
        >
          The filter lets none of the {noun} through.
        </State>
      ) : (
        <State
          isList
          kind="empty"
          title={`No ${noun} in the ${range.toLowerCase()}`}
          action={
            filter.period === '90d' ? undefined : (
              <ButtonLink href={listHref(path, filter, { period: '90d' })}>Show 90 days</ButtonLink>
            )
          }
        >
          {props.children}
        </State>
      )}
    </div>
  )
}

/** Finds the project that waits for its first event: the one in view, or the first when all of them wait. */
export function waitingProject(
  filter: Pick<ListFilter, 'project'>,
  projects: readonly ListedProject[],
): ListedProject | null {
  // The console's own project is set up by the server.
  const inView = projects.filter(({ slug }) =>
    filter.project === null ? slug !== selfProjectSlug : slug === filter.project,
  )
  return inView.some(({ hasEvents }) => hasEvents) ? null : (inView[0] ?? null)
}
