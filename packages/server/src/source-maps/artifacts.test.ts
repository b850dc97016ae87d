import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiServer, openApiServer } from '../testing/api-server.ts'
import { findArtifacts, growGeneration, readArtifact, uploadGeneration } from './artifacts.ts'

const debugId = '0d1ba1e4-3b44-4a0c-b0b5-1d3e8a2f4c11'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

interface StoredFile {
  readonly kind: 'minified_source' | 'source_map'
  readonly url: string
  readonly debugId?: string
  readonly reference?: string
}

async function store(
  bundle: { release?: string; dist?: string; origin?: string; at?: number; checksum?: string },
  files: readonly StoredFile[],
): Promise<void> {
  const [row] = await server.metadata.all<{ id: number }>(
    `insert into artifact_bundles (project_id, origin, checksum, release, dist, state, uploaded_at, used_at)
     values (1, ?, ?, ?, ?, 'ok', ?, 0) returning id`,
    bundle.origin ?? 'archive',
    bundle.checksum ?? '',
    bundle.release ?? null,
    bundle.dist ?? null,
    bundle.at ?? 0,
  )
  for (const [index, file] of files.entries()) {
    const sha1 = `${row?.id}-${index}`
    await server.metadata.all(
      'insert into artifact_files values (?, ?, 4, 0)',
      sha1,
      `source-maps/${sha1}`,
    )
    await server.metadata.all(
      `insert into artifacts (bundle_id, project_id, kind, url, debug_id, sha1, source_map_reference)
       values (?, 1, ?, ?, ?, ?, ?)`,
      row?.id ?? 0,
      file.kind,
      file.url,
      file.debugId ?? null,
      sha1,
      file.reference ?? null,
    )
  }
}

const find = (wanted: { debugId?: string; release?: string; dist?: string; url?: string }) =>
  findArtifacts(server.metadata, {
    projectId: 1,
    debugId: wanted.debugId ?? null,
    release: wanted.release ?? null,
    dist: wanted.dist ?? null,
    url: wanted.url ?? 'https://shop.example/js/a.js?v=1#x',
  })

const script = (reference?: string): StoredFile => ({
  kind: 'minified_source',
  url: '~/js/a.js',
  ...(reference === undefined ? {} : { reference }),
})
const map: StoredFile = { kind: 'source_map', url: '~/js/a.js.map' }

test('a script and its map are found by debug id, and of two with one id the first stays', async () => {
  await store({ checksum: 'a' }, [
    { kind: 'minified_source', url: '~/a.js', debugId },
    { kind: 'source_map', url: '~/a.js.map', debugId },
  ])
  await store({ checksum: 'b' }, [{ kind: 'source_map', url: '~/b.js.map', debugId }])
  expect(await find({ debugId: debugId.toUpperCase() })).toMatchObject({
    minified: { url: '~/a.js', debugId },
    sourceMap: { url: '~/a.js.map' },
    resolvedWith: 'debug-id',
  })
})

test('without a debug id the release and the url decide, and the script names its map', async () => {
  await store({ release: '1.0.0' }, [script('../maps/a.map'), map])
  await store({ release: '1.0.1' }, [{ kind: 'source_map', url: '~/maps/a.map' }])
  expect(await find({ release: '1.0.0' })).toMatchObject({ sourceMap: null })
  await store({ release: '1.0.0', checksum: 'b' }, [{ kind: 'source_map', url: '~/maps/a.map' }])
  expect(await find({ release: '1.0.0', debugId })).toMatchObject({
    minified: { url: '~/js/a.js' },
    sourceMap: { url: '~/maps/a.map' },
    resolvedWith: 'release',
  })
  expect(await find({ release: '2.0.0' })).toBeNull()
  expect(await find({})).toBeNull()
})

test('a map alone is found beside its script', async () => {
  await store({ release: '1.0.0', origin: 'files' }, [map])
  expect(await find({ release: '1.0.0' })).toMatchObject({
    minified: null,
    sourceMap: { url: '~/js/a.js.map' },
    resolvedWith: 'release-old',
  })
})

test('the dist of the event comes first, an upload without one serves all, another dist none', async () => {
  await store({ release: '1.0.0', dist: '7', at: 1 }, [{ ...script(), debugId: 'seven' }])
  expect(await find({ release: '1.0.0' })).toBeNull()
  await store({ release: '1.0.0', at: 2 }, [{ ...script(), debugId: 'none' }])
  const idOf = async (dist?: string) =>
    (await find({ release: '1.0.0', ...(dist === undefined ? {} : { dist }) }))?.minified?.debugId
  expect([await idOf('7'), await idOf('8'), await idOf()]).toEqual(['seven', 'none', 'none'])
})

test('an address with its query is likelier than one without, and the newer upload is meant', async () => {
  await store({ release: '1.0.0', at: 9 }, [script()])
  await store({ release: '1.0.0', checksum: 'b', at: 1 }, [
    { kind: 'minified_source', url: '~/js/a.js?v=1' },
  ])
  expect((await find({ release: '1.0.0' }))?.minified?.url).toBe('~/js/a.js?v=1')
  await store({ release: '1.0.0', checksum: 'c', at: 10 }, [{ ...script(), debugId: 'newer' }])
  expect((await find({ release: '1.0.0', url: 'http://h/js/a.js' }))?.minified?.debugId).toBe(
    'newer',
  )
})

test('a stored file is read uncompressed, and no more of it than its size', async () => {
  const found = { ...map, debugId: null, sha1: 'a', blobKey: 'source-maps/a', bytes: 5 }
  const artifact = { ...found, sourceMapReference: null }
  await expect(readArtifact(server.blobs, artifact)).rejects.toThrow('is not there')
  await server.blobs.put('source-maps/a', zstdCompressSync('hello'))
  expect(new TextDecoder().decode(await readArtifact(server.blobs, artifact))).toBe('hello')
  await expect(readArtifact(server.blobs, { ...artifact, bytes: 4 })).rejects.toThrow('is damaged')
})

test('the generation of a project grows with its uploads', async () => {
  expect(await uploadGeneration(server.metadata, 1)).toBe(0)
  await growGeneration(server.metadata, 1)
  await growGeneration(server.metadata, 1)
  expect(await uploadGeneration(server.metadata, 1)).toBe(2)
})
