import type { ApiEvent, ApiReplay } from '@afterimage/protocol/api'
import { askApi, queryString } from './api.ts'
import type { Answer } from './answer.ts'
import { searched, type Searched } from './searched.ts'

/** The filter of the replay list, as it is in the address. */
export interface ReplayFilter {
  readonly project: string | null
  readonly environment: string | null
  readonly period: string
  readonly query: string
  readonly sort: string | null
  readonly cursor: string | null
}

export const replaysPerPage = 50

export function listReplays(filter: ReplayFilter): Promise<Searched<readonly ApiReplay[]>> {
  return searched(filter.query, (query) => pageOfReplays({ ...filter, query }))
}

async function pageOfReplays(filter: ReplayFilter): Promise<Answer<readonly ApiReplay[]>> {
  const answer = await askApi<{ data: readonly ApiReplay[] }>(
    `/api/0/organizations/main/replays/${queryString({
      project: filter.project,
      environment: filter.environment,
      statsPeriod: filter.period,
      query: filter.query,
      sort: filter.sort,
      cursor: filter.cursor,
      per_page: replaysPerPage,
    })}`,
  )
  return answer.isOk ? { ...answer, value: answer.value.data } : answer
}

export async function findReplay(id: string): Promise<Answer<ApiReplay>> {
  const answer = await askApi<{ data: ApiReplay }>(
    `/api/0/organizations/main/replays/${encodeURIComponent(id)}/`,
  )
  return answer.isOk ? { ...answer, value: answer.value.data } : answer
}

/** Errors drawn on the timeline of one replay at most; each costs a request. */
const replayErrorsMax = 25

/** Reads the error events that a replay names; unreadable ones are left out. */
export async function eventsOf(replay: ApiReplay): Promise<readonly ApiEvent[]> {
  const answers = await Promise.all(
    replay.error_ids
      .slice(0, replayErrorsMax)
      .map((id) =>
        askApi<{ event: ApiEvent }>(
          `/api/0/organizations/main/eventids/${encodeURIComponent(id)}/`,
        ),
      ),
  )
  return answers.flatMap((answer) => (answer.isOk ? [answer.value.event] : []))
}
