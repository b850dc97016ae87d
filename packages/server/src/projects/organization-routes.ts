import type {
  ApiEnvironment,
  ApiOrganization,
  ApiUser,
} from '@afterimage/protocol/api/organization'
import { findOrganization, listEnvironments, listMembers } from './organization.ts'
import { scopesOf } from '../auth/rights.ts'
import { iso, setLink } from '../api/answer.ts'
import type { ApiContext, Routes } from '../api/context.ts'
import { projectIdsOf, projectOf } from '../api/parameters.ts'
import { notFound } from '../api/problem.ts'

/** The organisation (there is one), who is signed in, environments. */
export const organizationRoutes: Routes = (app, api) => {
  app.get('/', (c) => {
    const { user } = c.get('principal')
    return c.json({ version: '0', auth: { scopes: scopesOf(c.get('principal').rights) }, user })
  })

  app.get('/organizations/', async (c) => c.json([await organization(api)]))
  app.get('/organizations/:org/', async (c) => c.json(await organization(api)))

  app.get('/users/me/', (c) => {
    const { user } = c.get('principal')
    if (user === null) throw notFound('This token belongs to no person.')
    return c.json<ApiUser>(user)
  })

  app.get('/users/me/regions/', (c) =>
    c.json({ regions: [{ name: 'main', url: api.config.baseUrl }] }),
  )

  // There is one team: everybody who may sign in.
  const teams = ['/organizations/:org/teams/', '/projects/:org/:project/teams/']
  app.on('GET', teams, async (c) => {
    setLink(c, { previous: null, next: null })
    return c.json([await team(api)])
  })
  app.get('/teams/:org/:team/', async (c) => {
    const only = await team(api)
    if (![only.slug, only.id].includes(c.req.param('team'))) throw notFound()
    return c.json(only)
  })

  // Tools list these; a server has none.
  const empty = ['dashboards/', 'workflows/', 'alert-rules/', 'combined-rules/', 'uptime/']
  for (const name of empty) {
    app.get(`/organizations/:org/${name}`, (c) => {
      setLink(c, { previous: null, next: null })
      return c.json([])
    })
  }

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

async function team(api: ApiContext) {
  const { slug, name, dateCreated } = await organization(api)
  const { length: memberCount } = await listMembers(api.metadata)
  return { id: '1', slug, name, dateCreated, isMember: true, hasAccess: true, memberCount }
}

async function organization(api: ApiContext): Promise<ApiOrganization> {
  const row = await findOrganization(api.metadata)
  if (row === null) throw notFound()
  return {
    id: '1',
    slug: row.slug,
    name: row.name,
    dateCreated: iso(row.created_at),
    status: { id: 'active', name: 'active' },
    features: [],
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    // Empty: there are no regions, and tools ask the address they have.
    links: { organizationUrl: api.config.baseUrl, regionUrl: '' },
  }
}

async function environments(
  api: ApiContext,
  projectIds: readonly number[],
): Promise<readonly ApiEnvironment[]> {
  const rows = await listEnvironments(api.metadata, projectIds)
  return rows.map((row) => ({ id: String(row.id), name: row.name }))
}
