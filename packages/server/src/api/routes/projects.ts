import type { ApiProject, ApiProjectKey } from '@afterimage/protocol/api/organization'
import {
  createProject,
  createProjectKey,
  dsnOf,
  removeProject,
  slugProblem,
} from '../../projects.ts'
import { iso, isoOrNull } from '../answer.ts'
import { type Body, flagField, readBody, requiredText, textField } from '../body.ts'
import type { ApiContext, Routes } from '../context.ts'
import { allProjects, projectOf, type ProjectRow } from '../parameters.ts'
import { ApiProblem, badRequest, notFound } from '../problem.ts'

/** Projects and their keys. */
export const projectRoutes: Routes = (app, api) => {
  const list = async () => {
    const projects = [...(await allProjects(api)).values()]
    return Promise.all(projects.map((project) => serializeProject(api, project)))
  }
  app.get('/organizations/:org/projects/', async (c) => c.json(await list()))
  app.get('/projects/', async (c) => c.json(await list()))

  app.on('POST', ['/organizations/:org/projects/', '/teams/:org/:team/projects/'], async (c) => {
    const body = await readBody(c)
    const name = requiredText(body, 'name', 200)
    const slug = textField(body, 'slug', 50) ?? slugOfName(name)
    const platform = textField(body, 'platform', 64) ?? null
    const created = await createProject(api.metadata, api.config, { slug, name, platform })
    return c.json(await serializeProject(api, await projectOf(api, created.slug)), 201)
  })

  app.get('/projects/:org/:project/', async (c) =>
    c.json(await serializeProject(api, await projectOf(api, c.req.param('project')))),
  )

  app.put('/projects/:org/:project/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    await updateProject(api, project, await readBody(c))
    const [row] = await api.metadata.all<{ slug: string }>(
      'select slug from projects where id = ?',
      project.id,
    )
    return c.json(await serializeProject(api, await projectOf(api, row?.slug ?? '')))
  })

  app.delete('/projects/:org/:project/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const body = await readBody(c)
    const confirmed = textField(body, 'name', 200) ?? c.req.query('name')
    if (confirmed !== project.slug && confirmed !== project.name) {
      throw badRequest(`name: give the project's name, "${project.name}", to delete it`)
    }
    await removeProject(api.metadata, project.id)
    return c.body(null, 204)
  })

  app.get('/projects/:org/:project/keys/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    return c.json(await keysOf(api, project.id))
  })

  app.post('/projects/:org/:project/keys/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const body = await readBody(c)
    const label = textField(body, 'name', 100) ?? textField(body, 'label', 100) ?? 'Key'
    const publicKey = await createProjectKey(api.metadata, { projectId: project.id, label })
    const keys = await keysOf(api, project.id)
    return c.json(keys.find((key) => key.public === publicKey) ?? null, 201)
  })

  app.put('/projects/:org/:project/keys/:key/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const body = await readBody(c)
    const isActive = flagField(body, 'isActive')
    const label = textField(body, 'name', 100) ?? textField(body, 'label', 100)
    const changed = await api.metadata.all(
      `update project_keys set is_active = coalesce(?, is_active), label = coalesce(?, label)
       where project_id = ? and public_key = ? returning public_key`,
      isActive === undefined ? null : Number(isActive),
      label ?? null,
      project.id,
      c.req.param('key'),
    )
    if (changed.length === 0) throw notFound()
    const keys = await keysOf(api, project.id)
    return c.json(keys.find((key) => key.public === c.req.param('key')) ?? null)
  })
}

async function updateProject(api: ApiContext, project: ProjectRow, body: Body): Promise<void> {
  const name = textField(body, 'name', 200) ?? project.name
  const slug = textField(body, 'slug', 50) ?? project.slug
  const platform = textField(body, 'platform', 64) ?? project.platform
  const problem = slugProblem(slug)
  if (problem !== null) throw badRequest(problem)
  await api.metadata.transaction(async (tx) => {
    const taken = await tx.all(
      'select 1 from projects where slug = ? and id <> ?',
      slug,
      project.id,
    )
    if (taken.length > 0) throw new ApiProblem(409, `slug: a project "${slug}" exists already`)
    await tx.all(
      'update projects set name = ?, slug = ?, platform = ? where id = ?',
      name,
      slug,
      platform,
      project.id,
    )
  })
}

async function serializeProject(api: ApiContext, project: ProjectRow): Promise<ApiProject> {
  const hasAny = async (table: 'replays' | 'spans'): Promise<boolean> => {
    if (project.first_event_at === null) return false
    const page = await api.events.page({ table, projectIds: [project.id], where: [], limit: 1 })
    return page.rows.length > 0
  }
  const [hasReplays, hasTraces] = await Promise.all([hasAny('replays'), hasAny('spans')])
  return {
    id: String(project.id),
    slug: project.slug,
    name: project.name,
    platform: project.platform,
    dateCreated: iso(project.created_at),
    firstEvent: isoOrNull(project.first_event_at),
    hasReplays,
    hasTraces,
  }
}

async function keysOf(api: ApiContext, projectId: number): Promise<readonly ApiProjectKey[]> {
  const rows = await api.metadata.all<{
    public_key: string
    label: string
    is_active: number
    created_at: number
  }>(
    `select public_key, label, is_active, created_at from project_keys
     where project_id = ? order by created_at, public_key`,
    projectId,
  )
  return rows.map((row) => ({
    id: row.public_key,
    label: row.label,
    public: row.public_key,
    isActive: row.is_active === 1,
    dateCreated: iso(row.created_at),
    dsn: { public: dsnOf({ ...api.config, publicKey: row.public_key, projectId }) },
  }))
}

/** `My Shop!` → `my-shop`. What is left may still be no slug; creating says so. */
function slugOfName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 50)
}
