import type {
  ApiOrganization,
  ApiProject,
  ApiServerStatus,
  ApiStats,
  ApiUser,
} from '@afterimage/protocol/api'
import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { redirect } from 'next/navigation'
import { failureOf, mainRead } from './answer.ts'
import { askApi } from './api.ts'

export interface Session {
  readonly user: ApiUser
  readonly organization: ApiOrganization | null
  readonly projects: readonly ApiProject[]
}

/** Returns the signed-in user, or null. Throws when the API failed: that does not mean "nobody". */
export async function currentUser(): Promise<ApiUser | null> {
  const answer = await askApi<ApiUser>('/api/0/users/me/')
  if (answer.isOk) return answer.value
  if (answer.status === 401 || answer.status === 403) return null
  throw failureOf(answer)
}

/**
 * Returns the session of a signed-in page; redirects a visitor without one to the sign-in page, which
 * leads back to `to`, the path of the calling page.
 */
export async function requireSession(to = '/issues'): Promise<Session> {
  const session = await readSession()
  if (session === null) redirect(`/sign-in?to=${encodeURIComponent(to)}`)
  return session
}

/** Returns the session, or null without one. Throws when the API failed. */
export async function readSession(): Promise<Session | null> {
  const [user, organization, projects] = await Promise.all([
    currentUser(),
    askApi<ApiOrganization>('/api/0/organizations/main/'),
    askApi<readonly ApiProject[]>('/api/0/organizations/main/projects/'),
  ])
  if (user === null) return null
  const [ours, theirs] = [mainRead(organization), mainRead(projects)]
  return {
    user,
    organization: ours.isOk ? ours.value : null,
    projects: theirs.isOk ? theirs.value : [],
  }
}

/** Tells whether the server has no account yet. True when that could not be read: the form then reports it. */
export async function isSetUpNeeded(): Promise<boolean> {
  const answer = await askApi<{ isNeeded: boolean }>('/api/0/setup/')
  return !answer.isOk || answer.value.isNeeded
}

/** Reads the server's state for the operator's line; null when it could not be read. */
export async function serverStatus(): Promise<ApiServerStatus | null> {
  const answer = await askApi<ApiServerStatus>('/api/0/organizations/main/status/')
  return answer.isOk ? answer.value : null
}

/** Reads the items that the console's own clients discarded over a day, by reason. */
export async function ownDiscards(): Promise<readonly { reason: string; count: number }[]> {
  const answer = await askApi<ApiStats>(
    `/api/0/organizations/main/stats_v2/?project=${selfProjectSlug}&statsPeriod=24h&interval=1d&groupBy=outcome&groupBy=reason&field=sum(quantity)`,
  )
  if (!answer.isOk) return []
  return answer.value.groups
    .filter(({ by }) => by['outcome'] === 'client_discard')
    .map(({ by, totals }) => ({ reason: by['reason'] ?? '', count: totals['sum(quantity)'] ?? 0 }))
}
