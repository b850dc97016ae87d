import { gzipSync, zstdCompressSync } from 'node:zlib'
import type {
  ApiArtifactBundle,
  ApiArtifactBundleFiles,
} from '@afterimage/protocol/api/source-maps'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiServer, openApiServer, testNow } from '../testing/api-server.ts'
import { type ArchiveFile, cut, makeArchive } from './archive.fixture.ts'
import { findArtifacts, readArtifact, uploadGeneration } from './artifacts.ts'
import { collectUnused } from './collect-unused.ts'
import { sha1Of } from './stored-files.ts'

const debugId = '0d1ba1e4-3b44-4a0c-b0b5-1d3e8a2f4c11'
const chunkUpload = '/organizations/main/chunk-upload/'
const bundles = '/projects/main/store/files/artifact-bundles/'
const HOUR = 3_600_000
const DAY = 24 * HOUR

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

interface State {
  readonly state: string
  readonly missingChunks: readonly string[]
  readonly detail: string | null
}

const appFiles: readonly ArchiveFile[] = [
  { url: '~/a.js', content: `a()\n//# debugId=${debugId}\n//# sourceMappingURL=a.js.map` },
  { kind: 'source_map', url: '~/a.js.map', content: `{"version":3,"debug_id":"${debugId}"}` },
]

const ask = (body: unknown, path = '/organizations/main/artifactbundle/assemble/') =>
  server.json<State>(path, { method: 'POST', body })

function send(
  parts: readonly { readonly sha1: string; readonly content: Uint8Array<ArrayBuffer> }[],
  field = 'file',
): Promise<Response> {
  const body = new FormData()
  for (const { sha1, content } of parts) body.append(field, new File([content], sha1))
  return server.ask(chunkUpload, { method: 'POST', body })
}

/** Uploads an archive as a client does, and returns the last answer. */
async function upload(
  archive: Buffer,
  more: { version?: string; dist?: string } = {},
  bytesOfPart = 100,
): Promise<State> {
  const parts = cut(archive, bytesOfPart)
  const body = {
    checksum: sha1Of(archive),
    chunks: parts.map(({ sha1 }) => sha1),
    projects: ['store'],
    ...more,
  }
  const { missingChunks } = await ask(body)
  const missing = parts.filter(({ sha1 }) => missingChunks.includes(sha1))
  if (missing.length > 0) {
    expect((await send(missing as { sha1: string; content: Buffer<ArrayBuffer> }[])).status).toBe(
      200,
    )
  }
  await ask(body)
  await server.assembleUploads()
  return ask(body)
}

const count = async (table: string) =>
  (await server.metadata.all<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n

async function blobKeys(): Promise<string[]> {
  return (await Array.fromAsync(server.blobs.list(''))).map(({ key }) => key)
}

test('a client learns how to send parts, by the address that it knows', async () => {
  expect(await server.json(chunkUpload)).toMatchObject({
    url: 'http://localhost:9000/api/0/organizations/main/chunk-upload/',
    hashAlgorithm: 'sha1',
    accept: expect.arrayContaining(['artifact_bundles_v2']) as unknown,
  })
})

test('an upload is found by debug id, also by one that only the texts have, and read', async () => {
  const before = await uploadGeneration(server.metadata, 1)
  expect(await upload(await makeArchive(appFiles))).toMatchObject({ state: 'ok', detail: null })
  const found = await findArtifacts(server.metadata, {
    projectId: 1,
    debugId,
    release: null,
    dist: null,
    url: 'x',
  })
  expect(found).toMatchObject({
    minified: { url: '~/a.js', debugId, sourceMapReference: 'a.js.map' },
    sourceMap: { url: '~/a.js.map', debugId },
  })
  const map = await readArtifact(server.blobs, found!.sourceMap!)
  expect(Buffer.from(map).toString()).toBe(appFiles[1]?.content)
  expect(await uploadGeneration(server.metadata, 1)).toBeGreaterThan(before)
})

test('only parts that are missing are asked for, also after a break', async () => {
  const archive = await makeArchive(appFiles)
  const parts = cut(archive, 64) as { sha1: string; content: Buffer<ArrayBuffer> }[]
  const chunks = parts.map(({ sha1 }) => sha1)
  const body = { checksum: sha1Of(archive), chunks, projects: ['store', '1'] }
  expect(await ask(body)).toEqual({ state: 'not_found', missingChunks: chunks, detail: null })
  await send(parts.slice(0, 2))
  expect((await ask(body)).missingChunks).toEqual(chunks.slice(2))
  await send(parts.slice(2))
  await send(parts.slice(2))
  expect(await ask(body)).toMatchObject({ state: 'created', missingChunks: [] })
  expect(await ask(body)).toMatchObject({ state: 'assembling' })
  await server.assembleUploads()
  expect(await ask(body)).toMatchObject({ state: 'ok', missingChunks: [] })
  expect(await server.json<unknown[]>(bundles)).toHaveLength(1)
})

test.each([
  ['as it is', 'file', (content: Uint8Array) => content],
  ['gzipped', 'file_gzip', gzipSync],
  ['as zstd', 'file', zstdCompressSync],
])('a part may come %s', async (_, field, encode) => {
  const [part] = cut(Buffer.from('hello'.repeat(100)), 1000)
  const content = new Uint8Array(encode(part!.content))
  expect((await send([{ sha1: part!.sha1, content }], field)).status).toBe(200)
  expect(await count('artifact_chunks')).toBe(1)
})

test('a part with another checksum is refused, and so is one that grows too large', async () => {
  const wrong = await send([{ sha1: sha1Of(Buffer.from('b')), content: new Uint8Array([97]) }])
  expect(wrong.status).toBe(400)
  expect(await wrong.json()).toEqual({ detail: expect.stringContaining('another checksum') })
  const bomb = Buffer.alloc(9 * 1024 * 1024)
  const content = new Uint8Array(gzipSync(bomb))
  expect((await send([{ sha1: sha1Of(bomb), content }], 'file_gzip')).status).toBe(400)
  expect((await send([])).status).toBe(400)
  expect((await server.ask(chunkUpload, { method: 'POST', body: 'x' })).status).toBe(400)
  expect(await count('artifact_chunks')).toBe(0)
})

test.each([
  [{}],
  [{ checksum: 'x', chunks: ['x'], projects: ['store'] }],
  [{ checksum: 'a'.repeat(40), chunks: [], projects: ['store'] }],
  [{ checksum: 'a'.repeat(40), chunks: ['a'.repeat(40)], projects: [] }],
  [{ checksum: 'a'.repeat(40), chunks: ['a'.repeat(40)], projects: ['nope'] }],
  [{ checksum: 'a'.repeat(40), chunks: ['../a'], projects: ['store'] }],
])('the request %j to assemble is refused', async (body) => {
  const path = '/organizations/main/artifactbundle/assemble/'
  expect((await server.ask(path, { method: 'POST', body })).status).toBe(400)
})

test('an archive that cannot be read ends as an error with its reason, and stays one', async () => {
  expect(await upload(Buffer.from('not a ZIP'))).toMatchObject({
    state: 'error',
    detail: expect.stringContaining('cannot be read') as unknown,
  })
  expect(await upload(await makeArchive([], { manifest: [] }))).toMatchObject({
    detail: 'manifest.json has no object "files".',
  })
  const [bundle] = await server.json<ApiArtifactBundle[]>(bundles)
  expect(bundle).toMatchObject({ state: 'error', problems: [expect.any(String)] })
})

test('parts in the wrong order do not make the archive; those in the right one still do', async () => {
  const archive = await makeArchive(appFiles)
  const parts = cut(archive, 100) as { sha1: string; content: Buffer<ArrayBuffer> }[]
  await send(parts)
  const chunks = parts.map(({ sha1 }) => sha1)
  const body = { checksum: sha1Of(archive), projects: ['store'] }
  await ask({ ...body, chunks: chunks.toReversed() })
  await server.assembleUploads()
  expect(await ask({ ...body, chunks: chunks.toReversed() })).toMatchObject({
    state: 'error',
    detail: 'The parts together do not have the checksum of the archive.',
  })
  expect(await upload(archive)).toMatchObject({ state: 'ok' })
})

test('ten builds with the same vendor chunk store it once', async () => {
  const vendor: ArchiveFile = { url: '~/vendor.js', content: 'vendor()' }
  for (let build = 0; build < 10; build += 1) {
    const app = { url: '~/app.js', content: `app(${build})` }
    await upload(await makeArchive([vendor, app]), { version: `1.0.${build}` })
  }
  expect(await count('artifacts')).toBe(20)
  expect(await count('artifact_files')).toBe(11)
  expect((await blobKeys()).filter((key) => key.startsWith('source-maps/'))).toHaveLength(11)
})

test('of two maps with one debug id the first stays, and the second is told', async () => {
  await upload(await makeArchive(appFiles))
  const second = `{"version":3,"names":[],"debugId":"${debugId}"}`
  await upload(await makeArchive([{ kind: 'source_map', url: '~/b.js.map', content: second }]))
  const [newest, first] = await server.json<ApiArtifactBundle[]>(bundles)
  expect(first?.problems).toEqual([])
  expect(newest?.problems).toEqual([
    `~/b.js.map has the debug id ${debugId} of another map, ~/a.js.map, which is used.`,
  ])
})

test('uploads are listed with their files, searched and deleted', async () => {
  await upload(await makeArchive(appFiles), { version: 'shop@1.0.0', dist: '7' })
  await upload(await makeArchive([{ url: '~/b.js', content: 'b()' }]), { version: 'shop@1.1.0' })
  const listed = await server.json<ApiArtifactBundle[]>(bundles)
  expect(listed).toMatchObject([
    { associations: [{ release: 'shop@1.1.0', dist: null }], fileCount: 1, size: 3, state: 'ok' },
    { associations: [{ release: 'shop@1.0.0', dist: '7' }], fileCount: 2, origin: 'archive' },
  ])
  expect(await server.json(`${bundles}?query=${debugId}`)).toEqual([listed[1]])
  expect(await server.json(`${bundles}?query=1.1`)).toEqual([listed[0]])
  const page = await server.ask(`${bundles}?limit=1`)
  expect(page.headers.get('link')).toContain('rel="next"; results="true"; cursor="0:1:0"')
  const path = `/projects/main/store/artifact-bundles/${listed[1]?.bundleId}/files/`
  expect((await server.json<ApiArtifactBundleFiles>(path)).files).toMatchObject([
    { filePath: '~/a.js', fileType: 2, debugId, sourcemap: 'a.js.map' },
    { filePath: '~/a.js.map', fileType: 3, debugId },
  ])
  const remove = (id?: string) =>
    server.ask(`${bundles}?bundleId=${id}`, { method: 'DELETE' }).then(({ status }) => status)
  expect([await remove(listed[1]?.bundleId), await remove(listed[1]?.bundleId)]).toEqual([204, 404])
  const releasePath = '/projects/main/store/files/source-maps/?name=shop@1.1.0'
  expect((await server.ask(releasePath, { method: 'DELETE' })).status).toBe(204)
  expect(await server.json(bundles)).toEqual([])
})

test('a deleted upload takes its files along, but for those of another one, an hour later', async () => {
  await upload(await makeArchive(appFiles), { version: '1' })
  await upload(await makeArchive(appFiles.slice(0, 1)), { version: '2' })
  const [, first] = await server.json<ApiArtifactBundle[]>(bundles)
  await server.ask(`${bundles}${first?.bundleId}/`, { method: 'DELETE' })
  const collect = (now: number) => collectUnused(server, { now, retentionDays: 90 })
  await collect(testNow + HOUR)
  expect(await count('artifact_files')).toBe(2)
  await collect(testNow + HOUR + 1)
  expect(await count('artifact_files')).toBe(1)
  expect(await count('artifact_chunks')).toBe(0)
  await collect(testNow + 3 * HOUR)
  expect(await blobKeys()).toHaveLength(1)
  expect(await count('unnamed_artifact_blobs')).toBe(0)
})

test('old uploads go when neither a frame nor their release needed them for as long', async () => {
  const wanted = { projectId: 1, debugId, release: null, dist: null, url: 'x' }
  const ages = async (now: number) => {
    await collectUnused(server, { now, retentionDays: 90 })
    const listed = await server.json<ApiArtifactBundle[]>(bundles)
    return listed.flatMap(({ associations: [one] }) => one?.release ?? 'none').sort()
  }
  await server.json('/organizations/main/releases/', {
    method: 'POST',
    body: { version: 'seen', projects: ['store'] },
  })
  await server.metadata.all('update releases set last_seen = ?', testNow + 50 * DAY)
  await upload(await makeArchive([{ url: '~/s.js', content: 's()' }]), { version: 'seen' })
  await upload(await makeArchive([{ url: '~/u.js', content: 'u()' }]), { version: 'unseen' })
  await upload(await makeArchive(appFiles))
  await findArtifacts(server.metadata, wanted, testNow + 10 * DAY)
  expect(await ages(testNow + 90 * DAY)).toEqual(['none', 'seen', 'unseen'])
  expect(await ages(testNow + 91 * DAY)).toEqual(['none', 'seen'])
  expect(await ages(testNow + 101 * DAY)).toEqual(['seen'])
  expect(await ages(testNow + 141 * DAY)).toEqual([])
})

test('an upload that was broken off is taken in by the next call', async () => {
  const archive = await makeArchive(appFiles)
  const [part] = cut(archive, 1e6) as { sha1: string; content: Buffer<ArrayBuffer> }[]
  await send([part!])
  const body = { checksum: part!.sha1, chunks: [part!.sha1], projects: ['store'] }
  await ask(body)
  const { put } = server.blobs
  server.blobs.put = () => Promise.reject(new Error('killed'))
  await expect(server.assembleUploads()).rejects.toThrow('killed')
  server.blobs.put = put
  await server.assembleUploads()
  expect(await ask(body)).toMatchObject({ state: 'ok' })
})
