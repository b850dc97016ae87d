import type {
  ApiOrganization,
  ApiProject,
  ApiServerStatus,
  ApiUser,
} from '@afterimage/protocol/api'
import { redirect } from 'next/navigation'
import { askApi } from './api.ts'

export interface Session {
  readonly user: ApiUser
  readonly organization: ApiOrganization | null
  readonly projects: readonly ApiProject[]
}

/** Who is signed in, or null. A failing API is not "nobody": it throws, and the page says so. */
export async function currentUser(): Promise<ApiUser | null> {
  const answer = await askApi<ApiUser>('/api/0/users/me/')
  if (answer.isOk) return answer.value
  if (answer.status === 401 || answer.status === 403) return null
  throw new Error(answer.detail)
}

/**
 * What every signed-in page needs; sends a visitor without a session to the sign-in page, which leads
 * back to `to`, the path of the page that asks.
 */
export async function requireSession(to = '/issues'): Promise<Session> {
  const session = await readSession()
  if (session === null) redirect(`/sign-in?to=${encodeURIComponent(to)}`)
  return session
}

/** The session, or null without one. */
export async function readSession(): Promise<Session | null> {
  const [user, organization, projects] = await Promise.all([
    currentUser(),
    askApi<ApiOrganization>('/api/0/organizations/main/'),
    askApi<readonly ApiProject[]>('/api/0/organizations/main/projects/'),
  ])
  if (user === null) return null
  return {
    user,
    organization: organization.isOk ? organization.value : null,
    projects: projects.isOk ? projects.value : [],
  }
}

/** What the operator's line says; null when it could not be read. */
export async function serverStatus(): Promise<ApiServerStatus | null> {
  const answer = await askApi<ApiServerStatus>('/api/0/organizations/main/status/')
  return answer.isOk ? answer.value : null
}
