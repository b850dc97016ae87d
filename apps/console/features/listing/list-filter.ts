/** The filter of a list of replays or traces, as it is in the address. */
export interface ListFilter {
  /** Project slug; null for all. */
  readonly project: string | null
  readonly environment: string | null
  readonly period: string
  readonly query: string
  /** Null for the list's own order. */
  readonly sort: string | null
  readonly cursor: string | null
}

export const listPeriods: readonly { readonly id: string; readonly label: string }[] = [
  { id: '1h', label: 'Last hour' },
  { id: '24h', label: 'Last 24 hours' },
  { id: '7d', label: 'Last 7 days' },
  { id: '14d', label: 'Last 14 days' },
  { id: '30d', label: 'Last 30 days' },
  { id: '90d', label: 'Last 90 days' },
]

export const defaultPeriod = '14d'

type Search = Readonly<Record<string, string | readonly string[] | undefined>>

/** Reads the address; a period or an order that is not offered is the default. */
export function readListFilter(search: Search, sorts: readonly string[]): ListFilter {
  const period = one(search['period'])
  const sort = one(search['sort'])
  return {
    project: one(search['project']),
    environment: one(search['environment']),
    period: listPeriods.find(({ id }) => id === period)?.id ?? defaultPeriod,
    query: one(search['query']) ?? '',
    sort: sort !== null && sorts.includes(sort) ? sort : null,
    cursor: one(search['cursor']),
  }
}

/** Returns the address of the same list with a part of its filter changed, at its first page. */
export function listHref(path: string, filter: ListFilter, change: Partial<ListFilter>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filter, cursor: null, ...change })) {
    if (value === null || value === '' || (name === 'period' && value === defaultPeriod)) continue
    search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** Returns the query with a term added, or removed when it is present. */
export function toggleTerm(query: string, term: string): string {
  const terms = query.split(/\s+/).filter((part) => part !== '')
  const next = terms.includes(term) ? terms.filter((part) => part !== term) : [...terms, term]
  return next.join(' ')
}

function one(value: string | readonly string[] | undefined): string | null {
  const first = typeof value === 'string' ? value : value?.[0]
  return first === undefined || first === '' ? null : first.slice(0, 2_048)
}
