import type {
  ApiAttachment,
  ApiEvent,
  ApiEventSummary,
  ApiIssueDetail,
  ApiIssueOverview,
} from '@afterimage/protocol/api'
import type { Answer } from './answer.ts'
import { askApi } from './api.ts'
import { queryString } from './query-string.ts'
import { searched } from './searched.ts'

/** The filter of an issue's page: it decides the next and the previous event. */
export interface IssueLens {
  readonly query: string
  readonly environment: string | null
}

const DAY_MS = 86_400_000

/** Reads the issue; its stats cover the last day when it is younger, else two weeks. */
export async function loadIssue(id: string): Promise<Answer<ApiIssueDetail>> {
  const path = (period: string) =>
    `/api/0/organizations/main/issues/${encodeURIComponent(id)}/?groupStatsPeriod=${period}`
  const answer = await askApi<ApiIssueDetail>(path('24h'))
  if (!answer.isOk) return answer
  const isYoung = Date.now() - Date.parse(answer.value.firstSeen) < DAY_MS
  return isYoung ? answer : await askApi<ApiIssueDetail>(path('336h'))
}

/** Reads one of the issue's events: `recommended`, `latest`, `oldest`, or an event id. */
export function loadEvent(
  issue: string,
  which: string,
  lens: IssueLens,
): Promise<Answer<ApiEvent>> {
  const path = `/api/0/organizations/main/issues/${encodeURIComponent(issue)}/events/${encodeURIComponent(which)}/`
  return throughLens(lens, (through) => askApi<ApiEvent>(`${path}${queryString({ ...through })}`))
}

/** Reads a page of the issue's events, newest first. */
export function loadEvents(
  issue: string,
  lens: IssueLens,
  cursor: string | null,
): Promise<Answer<readonly ApiEventSummary[]>> {
  const path = `/api/0/organizations/main/issues/${encodeURIComponent(issue)}/events/`
  return throughLens(lens, (through) =>
    askApi<readonly ApiEventSummary[]>(`${path}${queryString({ ...through, cursor, limit: 50 })}`),
  )
}

/** Drops the parts of the query that are not valid; the list it came from reports them. */
async function throughLens<T>(
  lens: IssueLens,
  ask: (lens: {
    readonly query: string
    readonly environment: string | null
  }) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { environment } = lens
  return (await searched(lens.query, (query) => ask({ query, environment }))).answer
}

/** Reads the event's attachments; empty when the list could not be read. */
export async function loadAttachments(
  project: string,
  event: string,
): Promise<readonly ApiAttachment[]> {
  const answer = await askApi<readonly ApiAttachment[]>(
    `/api/0/projects/main/${encodeURIComponent(project)}/events/${event}/attachments/`,
  )
  return answer.isOk ? answer.value : []
}

/** Reads the releases of a project in a period, for the lines in a histogram. */
export async function loadReleases(
  projectId: string,
  period: string,
): Promise<ApiIssueOverview['releases']> {
  const answer = await askApi<ApiIssueOverview>(
    `/api/0/organizations/main/issue-overview/${queryString({ project: projectId, statsPeriod: period })}`,
  )
  return answer.isOk ? answer.value.releases : []
}
