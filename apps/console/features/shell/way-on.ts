import { placeOf, placesOf } from './places.ts'

export interface WayOn {
  /** Names what is missing, where the address does; null when the title says all. */
  readonly said: string | null
  readonly label: string
  readonly href: string
}

/** Finds the link to offer on a missing page of the product. */
export function wayOn(path: string, search: URLSearchParams): WayOn {
  const place = placesOf(search).find(({ id }) => id === placeOf(path))
  const project = search.get('project')
  const isList = path.split('/').filter((part) => part !== '').length === 1
  if (place !== undefined && isList && project !== null) {
    const elsewhere = new URLSearchParams(search)
    elsewhere.delete('project')
    elsewhere.delete('cursor')
    const tail = elsewhere.size === 0 ? '' : `?${elsewhere.toString()}`
    return {
      said: `There is no project called “${project.slice(0, 100)}”.`,
      label: `${place.label} of all projects`,
      href: `/${place.id}${tail}`,
    }
  }
  if (place === undefined) return { said: null, label: 'All issues', href: '/issues' }
  return { said: null, label: `All ${place.label.toLowerCase()}`, href: place.href }
}
