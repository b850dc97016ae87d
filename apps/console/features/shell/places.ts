export type Theme = 'light' | 'dark' | 'system'

export interface ShellUser {
  readonly id: string
  readonly name: string
  readonly email: string
}

export interface ShellProject {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly platform: string | null
  readonly hasEvents: boolean
}

export interface Place {
  readonly id: string
  readonly label: string
  readonly href: string
}

/** The parts of the filter that go along from one place to another. */
const CARRIED = ['project', 'environment', 'period']

/** The places of the product, each with the filter that the reader has set. */
export function placesOf(search: URLSearchParams): readonly Place[] {
  const carried = new URLSearchParams()
  for (const name of CARRIED) {
    const value = search.get(name)
    if (value !== null) carried.set(name, value)
  }
  const tail = carried.size === 0 ? '' : `?${carried.toString()}`
  return [
    { id: 'issues', label: 'Issues', href: `/issues${tail}` },
    { id: 'replays', label: 'Replays', href: `/replays${tail}` },
    { id: 'traces', label: 'Traces', href: `/traces${tail}` },
  ]
}

/** Which place a path is in; null for none. */
export function placeOf(path: string): string | null {
  const first = path.split('/')[1] ?? ''
  return ['issues', 'replays', 'traces', 'settings'].includes(first) ? first : null
}

/**
 * The same page in another project, or in all: lists keep their other filters, a page about one
 * thing (an issue, a replay) gives way to its list.
 */
export function projectHref(path: string, search: URLSearchParams, slug: string | null): string {
  const place = placeOf(path)
  const next = new URLSearchParams(path.split('/').length > 2 ? '' : search)
  next.delete('cursor')
  if (slug === null) next.delete('project')
  else next.set('project', slug)
  const target = place === null || place === 'settings' ? 'issues' : place
  return `/${target}${next.size === 0 ? '' : `?${next.toString()}`}`
}
