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
  /** The chord that goes there from everywhere. */
  readonly keys: readonly [string, string]
}

/** The parts of the filter that are kept between places. */
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
    { id: 'issues', label: 'Issues', href: `/issues${tail}`, keys: ['g', 'i'] },
    { id: 'replays', label: 'Replays', href: `/replays${tail}`, keys: ['g', 'r'] },
    { id: 'traces', label: 'Traces', href: `/traces${tail}`, keys: ['g', 't'] },
  ]
}

/** The settings do not belong to a project, so the filter is dropped. */
export const SETTINGS: Place = {
  id: 'settings',
  label: 'Settings',
  href: '/settings',
  keys: ['g', 's'],
}

/** Returns the place that a path is in; null outside of all places. */
export function placeOf(path: string): string | null {
  const first = path.split('/')[1] ?? ''
  return ['issues', 'replays', 'traces', 'settings'].includes(first) ? first : null
}

/**
 * Returns the address of the same page in another project, or in all: lists keep their other filters;
 * a page about one thing (an issue, a replay) leads to its list.
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
