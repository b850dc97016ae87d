import { addressOf } from '../api/answer.ts'
import { type Body, readBody, textField } from '../api/body.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import { allProjects, projectOf } from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'
import { findRelease } from '../releases/releases.ts'
import { requestAssembly, type ArchiveState } from './bundles.ts'
import { decodeChunk, keepChunk } from './chunks.ts'
import {
  ARCHIVE_BYTES_MAX,
  ARCHIVE_CHUNKS_MAX,
  CHUNK_BYTES,
  CHUNKS_PER_REQUEST,
  REQUEST_BYTES,
  REQUESTS_AT_ONCE,
} from './limits.ts'
import { readUploadForm, orBadRequest } from './upload-form.ts'

const chunkPath = '/organizations/:org/chunk-upload/'

/** Uploads of archives in parts, as Sentry's tools and bundler plugins send them. */
export const chunkRoutes: Routes = (app, api) => {
  app.get(chunkPath, (c) =>
    c.json({
      url: `${addressOf(c)}/api/0/organizations/main/chunk-upload/`,
      chunkSize: CHUNK_BYTES,
      chunksPerRequest: CHUNKS_PER_REQUEST,
      maxFileSize: ARCHIVE_BYTES_MAX,
      maxRequestSize: REQUEST_BYTES,
      maxWait: 60,
      concurrency: REQUESTS_AT_ONCE,
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      // The first is for clients that know no bundles: they would send files one by one.
      accept: ['release_files', 'artifact_bundles', 'artifact_bundles_v2', 'sources'],
    }),
  )

  app.post(chunkPath, async (c) => {
    const form = await readUploadForm(c)
    const files = [...form.getAll('file'), ...form.getAll('file_gzip')]
    if (files.length === 0) throw badRequest('file: there is no part in this request')
    if (files.length > CHUNKS_PER_REQUEST) {
      throw badRequest(`file: at most ${CHUNKS_PER_REQUEST} parts may be sent at once`)
    }
    for (const file of files) {
      if (!(file instanceof File)) throw badRequest('file: must be a file')
      const sha1 = checksumOf(file.name, 'file: the name')
      const sent = new Uint8Array(await file.arrayBuffer())
      const content = await orBadRequest(decodeChunk(sha1, sent))
      await keepChunk(api, { sha1, content }, nowOf(api))
    }
    return c.body(null, 200)
  })

  app.post('/organizations/:org/artifactbundle/assemble/', async (c) => {
    const body = await readBody(c)
    const projectIds = await projectsOf(api, body)
    const release = textField(body, 'version', 200) ?? null
    const dist = textField(body, 'dist', 64) ?? null
    return c.json(await assemble(api, body, { projectIds, release, dist }))
  })

  // Clients of before artifact bundles: the projects are those of the release.
  for (const path of [
    '/organizations/:org/releases/:version/assemble/',
    '/projects/:org/:project/releases/:version/assemble/',
  ]) {
    app.post(path, async (c) => {
      const body = await readBody(c)
      const release = c.req.param('version') ?? ''
      const projectIds = await projectsOfRelease(c, api, release)
      const dist = textField(body, 'dist', 64) ?? null
      return c.json(await assemble(api, body, { projectIds, release, dist }))
    })
  }
}

async function assemble(
  api: ApiContext,
  body: Body,
  meant: {
    readonly projectIds: readonly number[]
    readonly release: string | null
    readonly dist: string | null
  },
) {
  const checksum = checksumOf(body['checksum'], 'checksum')
  const named = body['chunks']
  if (!Array.isArray(named) || named.length === 0 || named.length > ARCHIVE_CHUNKS_MAX) {
    throw badRequest(`chunks: must be a list of 1 to ${ARCHIVE_CHUNKS_MAX} checksums`)
  }
  const chunks = (named as readonly unknown[]).map((one) => checksumOf(one, 'chunks'))
  const archive = { ...meant, checksum, chunks }
  return serialize(await requestAssembly(api.metadata, archive, nowOf(api)))
}

function serialize(state: ArchiveState) {
  return { missingChunks: [], detail: null, ...state }
}

function checksumOf(value: unknown, name: string): string {
  if (typeof value === 'string' && /^[0-9a-f]{40}$/.test(value)) return value
  throw badRequest(`${name}: must be a sha1 in lower case`)
}

/** `projects`: slugs or ids. */
async function projectsOf(api: ApiContext, body: Body): Promise<readonly number[]> {
  const named = body['projects']
  if (!Array.isArray(named) || named.length === 0 || named.length > 100) {
    throw badRequest('projects: must be a list of 1 to 100 project slugs')
  }
  const projects = [...(await allProjects(api)).values()]
  const ids = (named as readonly unknown[]).map((one) => {
    const project = projects.find((it) => it.slug === one || String(it.id) === String(one))
    if (project === undefined) {
      throw badRequest(`projects: there is no "${String(one).slice(0, 60)}"`)
    }
    return project.id
  })
  return [...new Set(ids)]
}

async function projectsOfRelease(
  c: ApiRequest,
  api: ApiContext,
  version: string,
): Promise<readonly number[]> {
  const slug = c.req.param('project')
  if (slug !== undefined) return [(await projectOf(api, slug)).id]
  const all = [...(await allProjects(api)).keys()]
  const release = await findRelease(api.metadata, all, version)
  if (release === null) throw notFound()
  return release.projectIds
}
