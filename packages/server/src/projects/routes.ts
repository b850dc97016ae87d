import type { ApiProject } from '@afterimage/protocol/api/organization'
import { changeProject, createProject, removeProject, slugProblem } from './projects.ts'
import { iso, isoOrNull } from '../api/answer.ts'
import { type Body, readBody, requiredText, textField } from '../api/body.ts'
import type { ApiContext, Routes } from '../api/context.ts'
import { allProjects, projectOf, type ProjectRow } from '../api/parameters.ts'
import { ApiProblem, badRequest } from '../api/problem.ts'

/** Projects. */
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
    const slug = await updateProject(api, project, await readBody(c))
    return c.json(await serializeProject(api, await projectOf(api, slug)))
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
}

/** Changes what the body gives, and returns the slug. */
async function updateProject(api: ApiContext, project: ProjectRow, body: Body): Promise<string> {
  const name = textField(body, 'name', 200) ?? project.name
  const slug = textField(body, 'slug', 50) ?? project.slug
  const platform = textField(body, 'platform', 64) ?? project.platform
  const problem = slugProblem(slug)
  if (problem !== null) throw badRequest(problem)
  const isChanged = await changeProject(api.metadata, project.id, { name, slug, platform })
  if (!isChanged) throw new ApiProblem(409, `slug: a project "${slug}" exists already`)
  return slug
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

/** `My Shop!` → `my-shop`. The result may still not be a valid slug; creating says so. */
function slugOfName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 50)
}
