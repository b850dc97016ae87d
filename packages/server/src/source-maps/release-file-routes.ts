import { iso } from '../api/answer.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import { allProjects, projectOf } from '../api/parameters.ts'
import { ApiProblem, badRequest, notFound } from '../api/problem.ts'
import { announceRelease, findRelease, versionProblem } from '../releases/releases.ts'
import { keepUploadedFile } from './add-files.ts'
import type { ArtifactKind } from './artifacts.ts'
import { type BundleFile, deleteFile, findReleaseFile, listReleaseFiles } from './bundle-files.ts'
import { linkPages, pageOf } from './bundle-routes.ts'
import { URL_CHARACTERS_MAX } from './limits.ts'
import { addReleaseFile } from './release-files.ts'
import { readUploadForm } from './upload-form.ts'

/** Returns both spellings of the path: under the organisation, and under one project. */
function paths(rest: string): string[] {
  return [`organizations/:org`, `projects/:org/:project`].map(
    (family) => `/${family}/releases/:version/files/${rest}`,
  )
}

/** Files of a release, sent one by one as tools did before there were archives. */
export const releaseFileRoutes: Routes = (app, api) => {
  app.on('GET', paths(''), async (c) => {
    const { offset, limit } = pageOf(c)
    const { projectId, release } = await releaseOfPath(c, api)
    const question = { projectId, release, offset, limit: limit + 1 }
    const found = await listReleaseFiles(api.metadata, question)
    linkPages(c, { offset, limit, found: found.length })
    return c.json(found.slice(0, limit).map(serializeFile))
  })

  app.on('POST', paths(''), async (c) => {
    const { projectId, release } = await releaseOfPath(c, api)
    const form = await readUploadForm(c)
    const file = form.get('file')
    if (!(file instanceof File)) throw badRequest('file: is required')
    const url = textOf(form, 'name') ?? file.name
    if (url === '' || url.length > URL_CHARACTERS_MAX) {
      throw badRequest(`name: must have 1 to ${URL_CHARACTERS_MAX} characters`)
    }
    const content = Buffer.from(await file.arrayBuffer())
    const sourceMapReference = mapHeaderOf(form)
    const now = nowOf(api)
    const kept = await keepUploadedFile(
      api,
      { kind: kindOf(url), url, debugId: null, sourceMapReference, content },
      now,
    )
    const files = { projectId, release, dist: textOf(form, 'dist') }
    const id = await addReleaseFile(api.metadata, files, kept, now)
    if (id === null) {
      throw new ApiProblem(409, 'A file matching this name already exists for the given release')
    }
    const added = await findReleaseFile(api.metadata, { projectId, release, id })
    if (added === null) throw notFound()
    return c.json(serializeFile(added), 201)
  })

  app.on('GET', paths(':file/'), async (c) =>
    c.json(serializeFile((await fileOfPath(c, api)).file)),
  )

  app.on('DELETE', paths(':file/'), async (c) => {
    const { file, projectId } = await fileOfPath(c, api)
    await deleteFile(api.metadata, projectId, file)
    return c.body(null, 204)
  })
}

/** The release of a path in its project; one that nobody announced is announced by its files. */
async function releaseOfPath(
  c: ApiRequest,
  api: ApiContext,
): Promise<{ readonly projectId: number; readonly release: string }> {
  const release = c.req.param('version') ?? ''
  const slug = c.req.param('project')
  if (slug !== undefined) {
    const { id } = await projectOf(api, slug)
    const isKnown = (await findRelease(api.metadata, [id], release)) !== null
    if (!isKnown && c.req.method !== 'POST') throw notFound()
    const problem = versionProblem(release)
    if (problem !== null) throw badRequest(problem)
    if (!isKnown) {
      const announced = { version: release, projectIds: [id], now: nowOf(api) }
      await announceRelease(api.metadata, announced, {})
    }
    return { projectId: id, release }
  }
  const all = [...(await allProjects(api)).keys()]
  const [projectId, ...others] = (await findRelease(api.metadata, all, release))?.projectIds ?? []
  if (projectId === undefined) throw notFound()
  if (others.length > 0) {
    throw badRequest('This release is one of several projects; name one: /projects/…/releases/…')
  }
  return { projectId, release }
}

async function fileOfPath(
  c: ApiRequest,
  api: ApiContext,
): Promise<{ readonly file: BundleFile; readonly projectId: number }> {
  const { projectId, release } = await releaseOfPath(c, api)
  const id = Number(/^\d{1,15}$/.exec(c.req.param('file') ?? '')?.[0] ?? -1)
  const file = await findReleaseFile(api.metadata, { projectId, release, id })
  if (file === null) throw notFound()
  return { file, projectId }
}

function textOf(form: FormData, name: string): string | null {
  const value = form.get(name)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads the fields `header`, each of them `Name: value`. */
function mapHeaderOf(form: FormData): string | null {
  for (const header of form.getAll('header')) {
    const value = /^(?:x-)?sourcemap\s*:\s*(\S.*)$/i.exec(String(header))?.[1]
    if (value !== undefined && value.length <= URL_CHARACTERS_MAX) return value.trim()
  }
  return null
}

function kindOf(url: string): ArtifactKind {
  const path = url.replace(/[?#].*$/s, '')
  if (path.endsWith('.map')) return 'source_map'
  return /\.(?:[cm]?js|jsbundle|bundle)$/.test(path) ? 'minified_source' : 'source'
}

function serializeFile(file: BundleFile) {
  const { sourceMapReference: reference } = file
  return {
    id: String(file.id),
    name: file.url,
    dist: file.dist,
    headers: reference === null ? {} : { Sourcemap: reference },
    size: file.bytes,
    sha1: file.sha1,
    dateCreated: iso(file.uploadedAt),
  }
}
