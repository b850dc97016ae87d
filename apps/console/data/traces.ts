import type { ApiTrace, ApiTraceSummary, ApiTransactionSummary } from '@afterimage/protocol/api'
import { askApi, queryString } from './api.ts'
import type { Answer } from './answer.ts'
import { searched, type Searched } from './searched.ts'

export interface TraceFilter {
  readonly project: string | null
  readonly environment: string | null
  readonly period: string
  readonly query: string
  readonly sort: string | null
  readonly cursor: string | null
}

function filterQuery(filter: TraceFilter, more: Record<string, string | number | null>): string {
  return queryString({
    project: filter.project,
    environment: filter.environment,
    statsPeriod: filter.period,
    query: filter.query,
    ...more,
  })
}

/** Reads the traces, newest first. */
export function listTraces(filter: TraceFilter): Promise<Searched<readonly ApiTraceSummary[]>> {
  const more = { cursor: filter.cursor, per_page: 30 }
  return searched(filter.query, (query) =>
    askRows<ApiTraceSummary>(
      `/api/0/organizations/main/traces/${filterQuery({ ...filter, query }, more)}`,
    ),
  )
}

/** Reads pages and routes with their durations. */
export function listTransactions(
  filter: TraceFilter,
): Promise<Searched<readonly ApiTransactionSummary[]>> {
  const more = { sort: filter.sort, per_page: 50 }
  return searched(filter.query, (query) =>
    askRows<ApiTransactionSummary>(
      `/api/0/organizations/main/transactions/${filterQuery({ ...filter, query }, more)}`,
    ),
  )
}

export function findTrace(id: string): Promise<Answer<ApiTrace>> {
  return askApi<ApiTrace>(`/api/0/organizations/main/traces/${encodeURIComponent(id)}/`)
}

/** Unwraps a list: Sentry returns some bare and some under `data`. */
async function askRows<T>(path: string): Promise<Answer<readonly T[]>> {
  const answer = await askApi<readonly T[] | { readonly data: readonly T[] }>(path)
  if (!answer.isOk) return answer
  const { value } = answer
  return { ...answer, value: 'data' in value ? value.data : value }
}
