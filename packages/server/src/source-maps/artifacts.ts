import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { AppError } from '../errors.ts'
import type { Blobs } from '../storage/blobs/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'
import { mapUrlOf, urlCandidates } from './artifact-urls.ts'
import { ARTIFACT_BYTES_MAX } from './limits.ts'

export type ArtifactKind = 'minified_source' | 'source_map' | 'source'

/** A stored file of an upload: a minified script, its map, or a source. */
export interface Artifact {
  readonly kind: ArtifactKind
  /** As uploaded: `~/a.js`, or a whole address. */
  readonly url: string
  /** Lower case with dashes. */
  readonly debugId: string | null
  /** Sha1 of the uncompressed content. */
  readonly sha1: string
  readonly blobKey: string
  /** Uncompressed. */
  readonly bytes: number
  /** Where the script's map is, relative to `url`: of its header, else of its last comment. */
  readonly sourceMapReference: string | null
}

export interface FoundArtifacts {
  readonly minified: Artifact | null
  readonly sourceMap: Artifact | null
  /** `release-old`: files that were sent one by one. */
  readonly resolvedWith: 'debug-id' | 'release' | 'release-old'
}

export interface WantedArtifacts {
  readonly projectId: number
  readonly debugId: string | null
  readonly release: string | null
  readonly dist: string | null
  /** The address of the script, as the frame has it. */
  readonly url: string
}

/**
 * Finds a script and its map: by debug id, else by release, dist and url. Of two files with one debug
 * id the first stays; of two with one url in one release the newer is meant. An upload without a dist
 * serves events of every dist that has none of its own.
 */
export async function findArtifacts(
  metadata: Metadata,
  wanted: WantedArtifacts,
  now = Date.now(),
): Promise<FoundArtifacts | null> {
  const found = (await byDebugId(metadata, wanted)) ?? (await byRelease(metadata, wanted))
  if (found === null) return null
  const { minified, sourceMap, resolvedWith } = found
  await noteUse(metadata, [minified, sourceMap], now)
  return {
    minified: withoutUpload(minified),
    sourceMap: withoutUpload(sourceMap),
    resolvedWith,
  }
}

/** Reads a stored file, uncompressed. @throws STORAGE_FAILED */
export async function readArtifact(blobs: Blobs, artifact: Artifact): Promise<Uint8Array> {
  const stored = await blobs.get(artifact.blobKey)
  if (stored === null) {
    throw new AppError('STORAGE_FAILED', `The blob "${artifact.blobKey}" is not there.`)
  }
  const compressed = new Uint8Array(await new Response(stored.body).arrayBuffer())
  try {
    return await decompress(compressed, {
      maxOutputLength: Math.max(1, Math.min(artifact.bytes, ARTIFACT_BYTES_MAX)),
    })
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `The blob "${artifact.blobKey}" is damaged.`, { cause })
  }
}

const decompress = promisify(zstdDecompress)

/**
 * Returns a number that grows whenever the uploads of a project change, so that "not found" may be
 * remembered until then.
 */
export async function uploadGeneration(metadata: Metadata, projectId: number): Promise<number> {
  const [row] = await metadata.all<{ generation: number }>(
    'select generation from upload_generations where project_id = ?',
    projectId,
  )
  return row?.generation ?? 0
}

/** Says that the uploads of a project changed. */
export async function growGeneration(tx: MetadataReader, projectId: number): Promise<void> {
  await tx.all(
    `insert into upload_generations (project_id, generation) values (?, 1)
     on conflict (project_id) do update set generation = upload_generations.generation + 1`,
    projectId,
  )
}

const COLUMNS = `a.kind, a.url, a.debug_id as "debugId", a.sha1, f.blob_key as "blobKey", f.bytes,
  a.source_map_reference as "sourceMapReference", b.origin, b.id as "bundleId",
  b.used_at as "usedAt"`

const TABLES = `artifacts a join artifact_files f on f.sha1 = a.sha1
  join artifact_bundles b on b.id = a.bundle_id`

/** A file with the upload that it is from. */
interface FoundRow extends Artifact {
  readonly origin: string
  readonly bundleId: number
  readonly usedAt: number
}

async function byDebugId(
  metadata: Metadata,
  { projectId, debugId }: WantedArtifacts,
): Promise<FoundRows | null> {
  if (debugId === null) return null
  const minified = await firstWithId(metadata, projectId, 'minified_source', debugId)
  const sourceMap = await firstWithId(metadata, projectId, 'source_map', debugId)
  if (minified === null && sourceMap === null) return null
  return { minified, sourceMap, resolvedWith: 'debug-id' }
}

interface FoundRows {
  readonly minified: FoundRow | null
  readonly sourceMap: FoundRow | null
  readonly resolvedWith: FoundArtifacts['resolvedWith']
}

async function firstWithId(
  metadata: Metadata,
  projectId: number,
  kind: ArtifactKind,
  debugId: string,
): Promise<FoundRow | null> {
  const [row] = await metadata.all<FoundRow>(
    `select ${COLUMNS} from ${TABLES}
     where a.project_id = ? and a.debug_id = ? and a.kind = ? order by a.id limit 1`,
    projectId,
    debugId.toLowerCase(),
    kind,
  )
  return row ?? null
}

async function byRelease(metadata: Metadata, wanted: WantedArtifacts): Promise<FoundRows | null> {
  if (wanted.release === null) return null
  const minified = await inRelease(metadata, wanted, 'minified_source', wanted.url)
  const sourceMap = await mapInRelease(metadata, wanted, minified)
  const found = minified ?? sourceMap
  if (found === null) return null
  const resolvedWith = found.origin === 'files' ? 'release-old' : 'release'
  return { minified, sourceMap, resolvedWith }
}

async function mapInRelease(
  metadata: Metadata,
  wanted: WantedArtifacts,
  script: Artifact | null,
): Promise<FoundRow | null> {
  if (script === null) {
    const beside = `${wanted.url.replace(/[?#].*$/s, '')}.map`
    return inRelease(metadata, wanted, 'source_map', beside)
  }
  const { debugId } = script
  const own =
    debugId === null ? null : await firstWithId(metadata, wanted.projectId, 'source_map', debugId)
  if (own !== null) return own
  const url = mapUrlOf(script.url, script.sourceMapReference ?? '')
  return url === null ? null : inRelease(metadata, wanted, 'source_map', url)
}

async function inRelease(
  metadata: Metadata,
  { projectId, release, dist }: WantedArtifacts,
  kind: ArtifactKind,
  url: string,
): Promise<FoundRow | null> {
  const candidates = urlCandidates(url)
  const rows = await metadata.all<FoundRow>(
    `select ${COLUMNS} from ${TABLES}
     where b.project_id = ? and b.release = ? and (b.dist is null or b.dist = ?)
       and a.kind = ? and a.url in (${placeholders(candidates)})
     order by b.dist is null, b.origin = 'files', b.uploaded_at desc, a.id desc
     limit 100`,
    projectId,
    release,
    dist,
    kind,
    ...candidates,
  )
  const likeliest = candidates.find((candidate) => rows.some((row) => row.url === candidate))
  return rows.find((row) => row.url === likeliest) ?? null
}

const DAY_MS = 86_400_000

/** Notes, once a day, that the uploads of these files are in use: they are kept for longer. */
async function noteUse(
  metadata: Metadata,
  rows: readonly (FoundRow | null)[],
  now: number,
): Promise<void> {
  for (const row of rows) {
    if (row === null || row.usedAt > now - DAY_MS) continue
    await metadata.all('update artifact_bundles set used_at = ? where id = ?', now, row.bundleId)
  }
}

function withoutUpload(row: FoundRow | null): Artifact | null {
  if (row === null) return null
  const { origin: _, bundleId: __, usedAt: ___, ...artifact } = row
  return artifact
}
