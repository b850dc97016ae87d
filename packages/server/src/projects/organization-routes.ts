import type {
  ApiEnvironment,
  ApiOrganization,
  ApiUser,
} from '@afterimage/protocol/api/organization'
import { findOrganization, listEnvironments, listMembers } from './organization.ts'
import { iso } from '../api/answer.ts'
import type { ApiContext, Routes } from '../api/context.ts'
import { projectIdsOf, projectOf } from '../api/parameters.ts'
import { notFound } from '../api/problem.ts'

/** The organisation (there is one), who is signed in, environments. */
export const organizationRoutes: Routes = (app, api) => {
  app.get('/', (c) => {
    const { user } = c.get('principal')
    return c.json({ version: '0', auth: { scopes: [] }, user })
  })

  app.get('/organizations/', async (c) => c.json([await organization(api)]))
  app.get('/organizations/:org/', async (c) => c.json(await organization(api)))

  app.get('/users/me/', (c) => {
    const { user } = c.get('principal')
    if (user === null) throw notFound('This token belongs to no person.')
    return c.json<ApiUser>(user)
  })

  app.get('/organizations/:org/members/', async (c) => {
    const people = await listMembers(api.metadata)
    return c.json(people.map((user) => ({ ...user, user })))
  })

  app.get('/organizations/:org/environments/', async (c) =>
    c.json(await environments(api, await projectIdsOf(c, api))),
  )
  app.get('/projects/:org/:project/environments/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    return c.json(await environments(api, [project.id]))
  })
}

async function organization(api: ApiContext): Promise<ApiOrganization> {
  const row = await findOrganization(api.metadata)
  if (row === null) throw notFound()
  return { id: '1', slug: row.slug, name: row.name, dateCreated: iso(row.created_at) }
}

async function environments(
  api: ApiContext,
  projectIds: readonly number[],
): Promise<readonly ApiEnvironment[]> {
  const rows = await listEnvironments(api.metadata, projectIds)
  return rows.map((row) => ({ id: String(row.id), name: row.name }))
}
