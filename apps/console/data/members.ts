import { askApi } from './api.ts'

export interface ApiMember {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Reads the people an issue can be assigned to; empty when the list could not be read. */
export async function membersOf(): Promise<readonly ApiMember[]> {
  const answer = await askApi<
    readonly { id: string; name: string; email: string; user?: { id: string } | null }[]
  >('/api/0/organizations/main/members/')
  if (!answer.isOk || !Array.isArray(answer.value)) return []
  return answer.value.map((one) => ({
    id: one.user?.id ?? one.id,
    name: one.name,
    email: one.email,
  }))
}
