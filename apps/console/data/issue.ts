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

/** The filter an issue is looked at through: which of its events count as next and previous. */
export interface IssueLens {
  readonly query: string
  readonly environment: string | null
}

const DAY_MS = 86_400_000

/** The issue; its stats cover the last day when it is younger, else two weeks. */
export async function loadIssue(id: string): Promise<Answer<ApiIssueDetail>> {
  const path = (period: string) =>
    `/api/0/organizations/main/issues/${encodeURIComponent(id)}/?groupStatsPeriod=${period}`
  const answer = await askApi<ApiIssueDetail>(path('24h'))
  if (!answer.isOk) return answer
  const isYoung = Date.now() - Date.parse(answer.value.firstSeen) < DAY_MS
  return isYoung ? answer : await askApi<ApiIssueDetail>(path('336h'))
}

/** One of the issue's events: `recommended`, `latest`, `oldest`, or an event id. */
export function loadEvent(
  issue: string,
  which: string,
  lens: IssueLens,
): Promise<Answer<ApiEvent>> {
  return askApi<ApiEvent>(
    `/api/0/organizations/main/issues/${encodeURIComponent(issue)}/events/${encodeURIComponent(which)}/${queryString({ ...lens })}`,
  )
}

/** A page of the issue's events, newest first. */
export function loadEvents(
  issue: string,
  lens: IssueLens,
  cursor: string | null,
): Promise<Answer<readonly ApiEventSummary[]>> {
  return askApi<readonly ApiEventSummary[]>(
    `/api/0/organizations/main/issues/${encodeURIComponent(issue)}/events/${queryString({ ...lens, cursor, limit: 50 })}`,
  )
}

/** What came with an event as files; none when the list could not be read. */
export async function loadAttachments(
  project: string,
  event: string,
): Promise<readonly ApiAttachment[]> {
  const answer = await askApi<readonly ApiAttachment[]>(
    `/api/0/projects/main/${encodeURIComponent(project)}/events/${event}/attachments/`,
  )
  return answer.isOk ? answer.value : []
}

/** The releases of a project in a period, for the lines in a histogram. */
export async function loadReleases(
  projectId: string,
  period: string,
): Promise<ApiIssueOverview['releases']> {
  const answer = await askApi<ApiIssueOverview>(
    `/api/0/organizations/main/issue-overview/${queryString({ project: projectId, statsPeriod: period })}`,
  )
  return answer.isOk ? answer.value.releases : []
}
