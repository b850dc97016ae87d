import type { ApiArtifactBundle, ApiArtifactFile } from '@afterimage/protocol/api/source-maps'
import { iso, setLink } from '../api/answer.ts'
import type { ApiContext, ApiRequest, Routes } from '../api/context.ts'
import { cursorOf, limitOf, projectOf } from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'
import type { ArtifactKind } from './artifacts.ts'
import {
  type Bundle,
  deleteBundle,
  deleteReleaseBundles,
  findBundle,
  listBundles,
} from './bundles.ts'
import { type BundleFile, listFiles } from './bundle-files.ts'

const listPath = '/projects/:org/:project/files/artifact-bundles/'
const QUERY_CHARACTERS_MAX = 200

/** The uploads of a project: listed, looked into, deleted. */
export const bundleRoutes: Routes = (app, api) => {
  app.get(listPath, async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const { offset, limit } = pageOf(c)
    const like = c.req.query('query')?.slice(0, QUERY_CHARACTERS_MAX) ?? ''
    const found = await listBundles(api.metadata, {
      projectId: project.id,
      like,
      offset,
      limit: limit + 1,
    })
    linkPages(c, { offset, limit, found: found.length })
    return c.json(found.slice(0, limit).map(serializeBundle))
  })

  app.delete(listPath, async (c) => {
    const id = c.req.query('bundleId')
    if (id === undefined) throw badRequest('bundleId: is required')
    return removeBundle(c, api, id)
  })

  app.delete(`${listPath}:bundle/`, (c) => removeBundle(c, api, c.req.param('bundle')))

  app.get('/projects/:org/:project/artifact-bundles/:bundle/files/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const bundle = await findBundle(api.metadata, project.id, idOf(c.req.param('bundle')))
    if (bundle === null) throw notFound()
    const { offset, limit } = pageOf(c)
    const question = { bundleId: bundle.id, offset, limit: limit + 1 }
    const found = await listFiles(api.metadata, question)
    linkPages(c, { offset, limit, found: found.length })
    const files = found.slice(0, limit).map(serializeFile)
    return c.json({ ...serializeBundle(bundle), files })
  })

  // Asked by `sentry-cli releases files <version> delete --all`.
  app.delete('/projects/:org/:project/files/source-maps/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const release = c.req.query('name')
    if (release === undefined) throw badRequest('name: is required')
    await deleteReleaseBundles(api.metadata, project.id, release)
    return c.body(null, 204)
  })
}

async function removeBundle(c: ApiRequest, api: ApiContext, id: string): Promise<Response> {
  const project = await projectOf(api, c.req.param('project') ?? '')
  if (!(await deleteBundle(api.metadata, project.id, idOf(id)))) throw notFound()
  return c.body(null, 204)
}

function idOf(text: string): number {
  return Number(/^\d{1,15}$/.exec(text)?.[0] ?? -1)
}

/** Reads the place and the size of a page. */
export function pageOf(c: ApiRequest): { readonly offset: number; readonly limit: number } {
  const offset = Number(/^0:(\d{1,6}):0$/.exec(cursorOf(c) ?? '')?.[1] ?? 0)
  return { offset, limit: limitOf(c) }
}

/** Names the pages around one that was read with one row more. */
export function linkPages(
  c: ApiRequest,
  page: { readonly offset: number; readonly limit: number; readonly found: number },
): void {
  const { offset, limit, found } = page
  setLink(c, {
    previous: offset > 0 ? `0:${Math.max(0, offset - limit)}:0` : null,
    next: found > limit ? `0:${offset + limit}:0` : null,
  })
}

function serializeBundle(bundle: Bundle): ApiArtifactBundle {
  const { release, dist } = bundle
  return {
    bundleId: String(bundle.id),
    associations: release === null ? [] : [{ release, dist }],
    date: iso(bundle.uploadedAt),
    dateModified: iso(bundle.uploadedAt),
    fileCount: bundle.fileCount,
    size: bundle.bytes,
    origin: bundle.origin,
    state: bundle.state,
    problems: bundle.problems,
  }
}

/** The numbers by which Sentry's API calls the kinds. */
const fileTypes: Readonly<Record<ArtifactKind, 1 | 2 | 3>> = {
  source: 1,
  minified_source: 2,
  source_map: 3,
}

function serializeFile(file: BundleFile): ApiArtifactFile {
  return {
    id: String(file.id),
    filePath: file.url,
    fileType: fileTypes[file.kind],
    fileSize: file.bytes,
    debugId: file.debugId,
    sourcemap: file.sourceMapReference,
  }
}
