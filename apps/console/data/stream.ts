import type {
  ApiEnvironment,
  ApiIssue,
  ApiIssueOverview,
  ApiProject,
} from '@afterimage/protocol/api'
import type { Answer } from './answer.ts'
import { searched, type Searched } from './searched.ts'
import { askApi } from './api.ts'
import { membersOf, type ApiMember } from './members.ts'
import { queryString } from './query-string.ts'

/** Issues on a page of the stream. */
const ISSUES_PER_PAGE = 50

/** The filter in the address; a part of `StreamFilter`. */
export interface StreamQuestion {
  readonly query: string
  readonly project: string | null
  readonly environment: string | null
  readonly period: string
  readonly sort: string
  readonly cursor: string | null
}

export interface StreamAnswer {
  readonly found: Searched<readonly ApiIssue[]>
  readonly overview: Answer<ApiIssueOverview>
  readonly environments: readonly string[]
  readonly members: readonly ApiMember[]
}

/** Returns the API's path of a page of issues, for the server and for the browser that polls it. */
export function issuesPath(question: StreamQuestion, projects: readonly ApiProject[]): string {
  return `/api/0/organizations/main/issues/${queryString({
    ...scope(question, projects),
    query: question.query,
    sort: question.sort === 'changed' ? 'inbox' : question.sort,
    cursor: question.cursor,
    limit: ISSUES_PER_PAGE,
    groupStatsPeriod: '24h',
  })}`
}

/** Reads everything that the issue stream shows, in parallel. */
export async function loadStream(
  question: StreamQuestion,
  projects: readonly ApiProject[],
): Promise<StreamAnswer> {
  const about = scope(question, projects)
  const [found, overview, environments, members] = await Promise.all([
    searched(question.query, (query) =>
      askApi<readonly ApiIssue[]>(issuesPath({ ...question, query }, projects)),
    ),
    askApi<ApiIssueOverview>(`/api/0/organizations/main/issue-overview/${queryString(about)}`),
    askApi<readonly ApiEnvironment[]>(
      `/api/0/organizations/main/environments/${queryString({ project: about.project })}`,
    ),
    membersOf(),
  ])
  return {
    found,
    overview,
    environments: environments.isOk
      ? environments.value.map((one) => one.name).filter(Boolean)
      : [],
    members,
  }
}

function scope(question: StreamQuestion, projects: readonly ApiProject[]) {
  const project = projects.find((one) => one.slug === question.project)
  return {
    project: project?.id,
    environment: question.environment,
    statsPeriod: question.period,
  }
}
