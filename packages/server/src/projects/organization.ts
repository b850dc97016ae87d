import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

export interface Organization {
  readonly slug: string
  readonly name: string
  readonly created_at: number
}

/** The organisation; there is one. Null before the server is set up. */
export async function findOrganization(metadata: Metadata): Promise<Organization | null> {
  const [row] = await metadata.all<Organization>(
    'select slug, name, created_at from organizations where id = 1',
  )
  return row ?? null
}

/** Everybody who may sign in, by name. */
export async function listMembers(
  metadata: Metadata,
): Promise<readonly { readonly id: string; readonly name: string; readonly email: string }[]> {
  return metadata.all('select id, name, email from users order by name limit 1000')
}

/** The environments that events of some projects have named, each name once. */
export async function listEnvironments(
  metadata: Metadata,
  projectIds: readonly number[],
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  return metadata.all(
    `select min(id) as id, name from environments
     where project_id in (${placeholders(projectIds)}) group by name order by name limit 1000`,
    ...projectIds,
  )
}
