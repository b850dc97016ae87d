import type { ApiProject } from '@afterimage/protocol/api/organization'
import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { ButtonLink } from '../../ui/button.tsx'
import { State } from '../../ui/state.tsx'
import {
  activeFilters,
  DEFAULT_FILTER,
  periodLabel,
  streamHref,
  type StreamFilter,
} from './stream-filter.ts'

/**
 * Explains why the list has no rows: no event yet, nothing that matches the filter, or nothing left to
 * do. Each has its own sentence and one link.
 */
export function NothingHere(props: {
  readonly filter: StreamFilter
  readonly projects: readonly ApiProject[]
  readonly project: ApiProject | null
  /** Events in the range; null when they could not be counted. */
  readonly events: number | null
}) {
  const { filter, project } = props
  // The console's own project does not count: nobody set it up.
  const projects = props.projects.filter(({ slug }) => slug !== selfProjectSlug)
  const waiting = (project === null ? projects : [project]).filter((one) => one.firstEvent === null)
  const first = waiting[0]
  if (first !== undefined && waiting.length === (project === null ? projects.length : 1)) {
    return (
      <State
        isPage
        kind="empty"
        title="No events yet"
        action={<ButtonLink href={`/projects/${first.slug}/start`}>Set up {first.name}</ButtonLink>}
      >
        They appear when a client reports to the project’s address.
      </State>
    )
  }
  const hidden = activeFilters(filter)
  if (hidden > 0 || filter.cursor !== null) {
    return (
      <State
        isPage
        kind="nothing"
        title="Nothing matches"
        action={
          <ButtonLink href={streamHref(filter, { query: DEFAULT_FILTER.query, environment: null })}>
            Clear filters
          </ButtonLink>
        }
      >
        {hidden === 1 ? 'One filter is set' : `${hidden} filters are set`} over the{' '}
        {periodLabel(filter.period).toLowerCase()}.
      </State>
    )
  }
  return (
    <State
      isPage
      kind="empty"
      title={filter.query === '' ? 'No issues in this time range' : 'Nothing is unresolved'}
      action={
        <ButtonLink href={streamHref(filter, { query: '', period: '90d' })}>
          Show all of 90 days
        </ButtonLink>
      }
    >
      {props.events === 0 || props.events === null
        ? `No events in the ${periodLabel(filter.period).toLowerCase()}.`
        : 'Every issue in this time range is resolved or archived.'}
    </State>
  )
}
