import { readTokens } from '../search/tokens.ts'

/** The issue stream's whole filter; it is kept in the URL only. */
export interface StreamFilter {
  readonly query: string
  /** Project slug; null for all. */
  readonly project: string | null
  readonly environment: string | null
  /** `24h`, `14d`… */
  readonly period: string
  readonly sort: StreamSort
  readonly cursor: string | null
}

export type StreamSort = 'changed' | 'date' | 'new' | 'freq' | 'user' | 'trends'

export const SORTS: readonly { readonly id: StreamSort; readonly label: string }[] = [
  { id: 'changed', label: 'What changed' },
  { id: 'date', label: 'Last seen' },
  { id: 'new', label: 'First seen' },
  { id: 'freq', label: 'Events' },
  { id: 'user', label: 'People' },
  { id: 'trends', label: 'Trends' },
]

export const PERIODS: readonly { readonly id: string; readonly label: string }[] = [
  { id: '1h', label: 'Last hour' },
  { id: '24h', label: 'Last 24 hours' },
  { id: '7d', label: 'Last 7 days' },
  { id: '14d', label: 'Last 14 days' },
  { id: '30d', label: 'Last 30 days' },
  { id: '90d', label: 'Last 90 days' },
]

/** The stream's filter when the URL sets none. */
export const DEFAULT_FILTER: StreamFilter = {
  query: 'is:unresolved',
  project: null,
  environment: null,
  period: '14d',
  sort: 'changed',
  cursor: null,
}

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Reads the filter from a page's search parameters; unknown values are the default. */
export function readStreamFilter(params: SearchParams): StreamFilter {
  const one = (name: string): string | null => {
    const value = params[name]
    const text = typeof value === 'string' ? value : value?.[0]
    return text === undefined || text === '' ? null : text.slice(0, 2048)
  }
  const period = one('period')
  const sort = one('sort')
  return {
    // An empty query is a choice (all issues); an absent one is not.
    query: params['query'] === undefined ? DEFAULT_FILTER.query : (one('query') ?? ''),
    project: one('project'),
    environment: one('environment'),
    period: PERIODS.some((known) => known.id === period)
      ? (period ?? '14d')
      : DEFAULT_FILTER.period,
    sort: SORTS.find((known) => known.id === sort)?.id ?? DEFAULT_FILTER.sort,
    cursor: one('cursor'),
  }
}

/** The search part of the stream's address: only what differs from the default. */
export function streamSearch(filter: StreamFilter): string {
  const params = new URLSearchParams()
  if (filter.query !== DEFAULT_FILTER.query) params.set('query', filter.query)
  if (filter.project !== null) params.set('project', filter.project)
  if (filter.environment !== null) params.set('environment', filter.environment)
  if (filter.period !== DEFAULT_FILTER.period) params.set('period', filter.period)
  if (filter.sort !== DEFAULT_FILTER.sort) params.set('sort', filter.sort)
  if (filter.cursor !== null) params.set('cursor', filter.cursor)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** The stream's address. Any change but the cursor's goes back to the first page. */
export function streamHref(filter: StreamFilter, change: Partial<StreamFilter> = {}): string {
  return `/issues${streamSearch({ ...filter, cursor: null, ...change })}`
}

/** Counts the filters that a reader can clear: the query's parts beyond the default, and the environment. */
export function activeFilters(filter: StreamFilter): number {
  const beyond = readTokens(filter.query).filter(
    (token) => !(token.type === 'filter' && token.key === 'is' && token.value === 'unresolved'),
  )
  return beyond.length + (filter.environment === null ? 0 : 1)
}

export interface StreamView {
  /** Key in the overview's `views`. */
  readonly id: string
  readonly label: string
  readonly query: string
}

/** The views above the table: queries with a name. */
export const VIEWS: readonly StreamView[] = [
  { id: 'unresolved', label: 'Unresolved', query: 'is:unresolved' },
  { id: 'for_review', label: 'For review', query: 'is:for_review' },
  { id: 'regressed', label: 'Regressed', query: 'is:regressed' },
  { id: 'escalating', label: 'Escalating', query: 'is:escalating' },
  { id: 'mine', label: 'Mine', query: 'is:unresolved assigned:me' },
  { id: 'resolved', label: 'Resolved', query: 'is:resolved' },
  { id: 'archived', label: 'Archived', query: 'is:archived' },
]

export function periodLabel(period: string): string {
  return PERIODS.find((known) => known.id === period)?.label ?? period
}
