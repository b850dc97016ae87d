import type { ApiProject } from '@afterimage/protocol/api'
import { notFound } from 'next/navigation'

/** Finds the project that an address names; null when it names none. One that does not exist is a 404. */
export function projectInView(
  projects: readonly ApiProject[],
  slug: string | null,
): ApiProject | null {
  if (slug === null) return null
  const project = projects.find((one) => one.slug === slug)
  if (project === undefined) notFound()
  return project
}

/** Picks what the lists need of a project. */
export function listedProject(project: ApiProject) {
  return { slug: project.slug, name: project.name, hasEvents: project.firstEvent !== null }
}
