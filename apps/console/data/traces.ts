import type { ApiTrace, ApiTraceSummary, ApiTransactionSummary } from '@afterimage/protocol/api'
import { askApi, queryString } from './api.ts'
import type { Answer } from './answer.ts'

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

/** Newest traces first. */
export function listTraces(filter: TraceFilter): Promise<Answer<readonly ApiTraceSummary[]>> {
  return askRows<ApiTraceSummary>(
    `/api/0/organizations/main/traces/${filterQuery(filter, { cursor: filter.cursor, per_page: 30 })}`,
  )
}

/** Pages and routes with their durations. */
export function listTransactions(
  filter: TraceFilter,
): Promise<Answer<readonly ApiTransactionSummary[]>> {
  return askRows<ApiTransactionSummary>(
    `/api/0/organizations/main/transactions/${filterQuery(filter, { sort: filter.sort, per_page: 50 })}`,
  )
}

export function findTrace(id: string): Promise<Answer<ApiTrace>> {
  return askApi<ApiTrace>(`/api/0/organizations/main/trace/${encodeURIComponent(id)}/`)
}

/** Sentry answers some lists bare and some under `data`. */
async function askRows<T>(path: string): Promise<Answer<readonly T[]>> {
  const answer = await askApi<readonly T[] | { readonly data: readonly T[] }>(path)
  if (!answer.isOk) return answer
  const { value } = answer
  return { ...answer, value: 'data' in value ? value.data : value }
}
