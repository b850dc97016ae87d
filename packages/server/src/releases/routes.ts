import {
  announceRelease,
  deleteRelease,
  type Deploy,
  deploysOf,
  findRelease,
  listReleases,
  recordDeploy,
  type Release,
  type ReleaseFacts,
  versionProblem,
} from './releases.ts'
import {
  type Commit,
  COMMITS_PER_RELEASE_MAX,
  commitsOf,
  replaceCommits,
  repositoriesOf,
} from './commits.ts'
import { serializeCommit, serializeDeploy, serializeReleases } from './serialize.ts'
import { setLink } from '../api/answer.ts'
import { type Body, oneOfField, readBody, requiredText, textField, timeField } from '../api/body.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import { allProjects, cursorOf, limitOf, projectIdsOf, projectOf } from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'

/** Characters of a commit's message or author that are kept. */
const COMMIT_TEXT_CHARACTERS_MAX = 2000

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
    const found = await listReleases(api.metadata, {
      projectIds,
      like,
      offset,
      limit: limit + 1,
      isArchived: c.req.query('status') === 'archived',
    })
    setLink(c, {
      previous: offset > 0 ? `0:${Math.max(0, offset - limit)}:0` : null,
      next: found.length > limit ? `0:${offset + limit}:0` : null,
    })
    return c.json(await serializeReleases(api, found.slice(0, limit)))
  })

  app.on('POST', paths(''), async (c) => {
    const body = await readBody(c)
    const version = requiredText(body, 'version', 200)
    const problem = versionProblem(version)
    if (problem !== null) throw badRequest(problem)
    const projectIds = await projectsOfBody(c, api, body)
    const release = { version, projectIds, now: nowOf(api) }
    const commits = commitsField(body)
    const isNew = await announceRelease(api.metadata, release, factsOf(body, release.now))
    if (commits !== undefined) await replaceCommits(api.metadata, release, commits)
    // 208: it had been reported already.
    return c.json(await serialize(api, await known(api, projectIds, version)), isNew ? 201 : 208)
  })

  app.on('GET', paths(':version/'), async (c) => c.json(await serialize(api, await ofPath(c, api))))

  app.on('PUT', paths(':version/'), async (c) => {
    const release = await ofPath(c, api)
    const { version, projectIds } = release
    const body = await readBody(c)
    const commits = commitsField(body)
    const now = nowOf(api)
    await announceRelease(api.metadata, { version, projectIds, now }, factsOf(body, now))
    if (commits !== undefined) await replaceCommits(api.metadata, release, commits)
    return c.json(await serialize(api, await known(api, projectIds, version)))
  })

  app.on('DELETE', paths(':version/'), async (c) => {
    await deleteRelease(api.metadata, await ofPath(c, api))
    return c.body(null, 204)
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
}

/** Commits, and the repositories that they name. */
export const commitRoutes: Routes = (app, api) => {
  app.on('GET', paths(':version/commits/'), async (c) => {
    const release = await ofPath(c, api)
    const found = await commitsOf(api.metadata, [release.version], release.projectIds)
    const commits = found.get(release.version) ?? []
    setLink(c, { previous: null, next: null })
    return c.json(commits.slice(0, limitOf(c, 100)).map((one) => serializeCommit(one, release)))
  })

  // Repositories are those that commits name; tools ask for both before they send commits.
  app.get('/organizations/:org/repos/', async (c) => {
    const names = await repositoriesOf(api.metadata, await projectIdsOf(c, api))
    setLink(c, { previous: null, next: null })
    return c.json(
      names.map((name) => ({
        id: name,
        name,
        status: 'active',
        provider: { id: 'unknown', name: 'Unknown provider' },
      })),
    )
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

function factsOf(body: Body, now: number): ReleaseFacts {
  const status = oneOfField(body, 'status', ['open', 'archived'])
  const releasedAt = timeField(body, 'dateReleased')
  const reference = textField(body, 'ref', 250)
  const url = textField(body, 'url', 500)
  return {
    ...(releasedAt === undefined ? {} : { releasedAt }),
    ...(reference === undefined ? {} : { reference }),
    ...(url === undefined ? {} : { url }),
    ...(status === undefined ? {} : { archivedAt: status === 'archived' ? now : null }),
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
  return (await serializeReleases(api, [release]))[0]
}

/** `commits` as build tools read them from a repository; absent when the body names none. */
function commitsField(body: Body): readonly Commit[] | undefined {
  const listed = body['commits']
  if (listed === undefined || listed === null) return undefined
  if (!Array.isArray(listed)) throw badRequest('commits: must be a list')
  return listed.slice(0, COMMITS_PER_RELEASE_MAX).map((one: unknown) => {
    if (typeof one !== 'object' || one === null) throw badRequest('commits: must hold objects')
    const commit = one as Body
    return {
      id: requiredText(commit, 'id', 64),
      repository: textField(commit, 'repository', 200) ?? null,
      message: textIn(commit, 'message'),
      authorName: textIn(commit, 'author_name'),
      authorEmail: textIn(commit, 'author_email'),
      at: timeField(commit, 'timestamp') ?? null,
    }
  })
}

/** A text of any length, cut: what people wrote into a repository cannot be refused here. */
function textIn(commit: Body, field: string): string | null {
  const value = commit[field]
  return typeof value === 'string' && value.trim() !== ''
    ? value.trim().slice(0, COMMIT_TEXT_CHARACTERS_MAX)
    : null
}
