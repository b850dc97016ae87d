import {
  announceRelease,
  type Deploy,
  deploysOf,
  findRelease,
  listReleases,
  recordDeploy,
  type Release,
  type ReleaseFacts,
  versionProblem,
} from './releases.ts'
import { iso, isoOrNull, setLink } from '../api/answer.ts'
import { type Body, readBody, requiredText, textField, timeField } from '../api/body.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import {
  allProjects,
  cursorOf,
  limitOf,
  projectIdsOf,
  projectOf,
  type ProjectRow,
} from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'

/** Returns both spellings of the path: under the organisation, and under one project. */
function paths(rest: string): string[] {
  return [`/organizations/:org/releases/${rest}`, `/projects/:org/:project/releases/${rest}`]
}

/** Releases and deploys, as command-line tools and bundler plugins announce them. */
export const releaseRoutes: Routes = (app, api) => {
  app.on('GET', paths(''), async (c) => {
    const limit = limitOf(c)
    const offset = Number(/^0:(\d{1,6}):0$/.exec(cursorOf(c) ?? '')?.[1] ?? 0)
    const projectIds = await projectsOfPath(c, api)
    const like = c.req.query('query')?.slice(0, 200) ?? ''
    const found = await listReleases(api.metadata, { projectIds, like, offset, limit: limit + 1 })
    setLink(c, {
      previous: offset > 0 ? `0:${Math.max(0, offset - limit)}:0` : null,
      next: found.length > limit ? `0:${offset + limit}:0` : null,
    })
    return c.json(await serializeAll(api, found.slice(0, limit)))
  })

  app.on('POST', paths(''), async (c) => {
    const body = await readBody(c)
    const version = requiredText(body, 'version', 200)
    const problem = versionProblem(version)
    if (problem !== null) throw badRequest(problem)
    const projectIds = await projectsOfBody(c, api, body)
    const release = { version, projectIds, now: nowOf(api) }
    const isNew = await announceRelease(api.metadata, release, factsOf(body))
    // 208: it had been reported already.
    return c.json(await serialize(api, await known(api, projectIds, version)), isNew ? 201 : 208)
  })

  app.on('GET', paths(':version/'), async (c) => c.json(await serialize(api, await ofPath(c, api))))

  app.on('PUT', paths(':version/'), async (c) => {
    const release = await ofPath(c, api)
    const { version, projectIds } = release
    await announceRelease(
      api.metadata,
      { version, projectIds, now: nowOf(api) },
      factsOf(await readBody(c)),
    )
    return c.json(await serialize(api, await known(api, projectIds, version)))
  })

  app.on('GET', paths(':version/deploys/'), async (c) =>
    c.json((await deploysOfOne(api, await ofPath(c, api))).map(serializeDeploy)),
  )

  app.on('POST', paths(':version/deploys/'), async (c) => {
    const release = await ofPath(c, api)
    const body = await readBody(c)
    const deploy = await recordDeploy(api.metadata, release, {
      environment: requiredText(body, 'environment', 64),
      name: textField(body, 'name', 64) ?? null,
      url: textField(body, 'url', 500) ?? null,
      startedAt: timeField(body, 'dateStarted') ?? null,
      finishedAt: timeField(body, 'dateFinished') ?? nowOf(api),
    })
    return c.json(serializeDeploy(deploy), 201)
  })

  // No repository is connected: tools ask for these two before they send commits of their own.
  app.get('/organizations/:org/repos/', (c) => {
    setLink(c, { previous: null, next: null })
    return c.json([])
  })
  app.on('GET', paths(':version/previous-with-commits/'), (c) => c.json({}))
}

async function projectsOfPath(c: ApiRequest, api: ApiContext): Promise<readonly number[]> {
  const slug = c.req.param('project')
  return slug === undefined ? projectIdsOf(c, api) : [(await projectOf(api, slug)).id]
}

/** `projects`: slugs or ids; the path's own project when it has one. */
async function projectsOfBody(
  c: ApiRequest,
  api: ApiContext,
  body: Body,
): Promise<readonly number[]> {
  const ids = new Set<number>()
  const slug = c.req.param('project')
  if (slug !== undefined) ids.add((await projectOf(api, slug)).id)
  const named = body['projects'] ?? []
  if (!Array.isArray(named) || named.length > 100) {
    throw badRequest('projects: must be a list of at most 100 project slugs')
  }
  const projects = [...(await allProjects(api)).values()]
  for (const one of named as readonly unknown[]) {
    const project = projects.find((it) => it.slug === one || String(it.id) === String(one))
    if (project === undefined)
      throw badRequest(`projects: there is no "${String(one).slice(0, 60)}"`)
    ids.add(project.id)
  }
  if (ids.size === 0) throw badRequest('projects: is required')
  return [...ids]
}

function factsOf(body: Body): ReleaseFacts {
  const releasedAt = timeField(body, 'dateReleased')
  const reference = textField(body, 'ref', 250)
  const url = textField(body, 'url', 500)
  return {
    ...(releasedAt === undefined ? {} : { releasedAt }),
    ...(reference === undefined ? {} : { reference }),
    ...(url === undefined ? {} : { url }),
  }
}

async function ofPath(c: ApiRequest, api: ApiContext): Promise<Release> {
  return known(api, await projectsOfPath(c, api), c.req.param('version') ?? '')
}

async function known(
  api: ApiContext,
  projectIds: readonly number[],
  version: string,
): Promise<Release> {
  const release = await findRelease(api.metadata, projectIds, version)
  if (release === null) throw notFound()
  return release
}

async function deploysOfOne(api: ApiContext, release: Release): Promise<readonly Deploy[]> {
  return (await deploysOf(api.metadata, [release])).get(release.version) ?? []
}

async function serialize(api: ApiContext, release: Release) {
  return (await serializeAll(api, [release]))[0]
}

async function serializeAll(api: ApiContext, releases: readonly Release[]) {
  const projects = await allProjects(api)
  const deploys = await deploysOf(api.metadata, releases)
  return releases.map((it) => serializeRelease(it, projects, deploys.get(it.version) ?? []))
}

function serializeRelease(
  release: Release,
  projects: ReadonlyMap<number, ProjectRow>,
  deploys: readonly Deploy[],
) {
  return {
    version: release.version,
    shortVersion: release.version.slice(release.version.lastIndexOf('@') + 1),
    ref: release.reference,
    url: release.url,
    dateCreated: iso(release.createdAt),
    dateReleased: isoOrNull(release.releasedAt),
    firstEvent: isoOrNull(release.firstSeen),
    lastEvent: isoOrNull(release.lastSeen),
    newGroups: release.newIssues,
    deployCount: deploys.length,
    lastDeploy: deploys[0] === undefined ? null : serializeDeploy(deploys[0]),
    projects: release.projectIds.flatMap((id) => {
      const project = projects.get(id)
      return project === undefined ? [] : [{ id, slug: project.slug, name: project.name }]
    }),
  }
}

function serializeDeploy(deploy: Deploy) {
  return {
    id: String(deploy.id),
    environment: deploy.environment,
    name: deploy.name,
    url: deploy.url,
    dateStarted: isoOrNull(deploy.startedAt),
    dateFinished: iso(deploy.finishedAt),
  }
}
