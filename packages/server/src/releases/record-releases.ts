import { ENVIRONMENTS_PER_PROJECT_MAX, RELEASES_PER_PROJECT_MAX } from '../issues/limits.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'

export interface SeenRelease {
  readonly projectId: number
  readonly release: string | null
  readonly environment: string | null
  /** ms */
  readonly at: number
}

/** Remembers releases with their first and last event, and environments. */
export async function recordReleases(
  tx: MetadataReader,
  seen: readonly SeenRelease[],
): Promise<void> {
  const spans = new Map<
    string,
    { projectId: number; version: string; first: number; last: number }
  >()
  const environments = new Map<string, { projectId: number; name: string; at: number }>()
  for (const { projectId, release, environment, at } of seen) {
    if (release !== null && release !== '') {
      const key = `${projectId} ${release}`
      const span = spans.get(key) ?? { projectId, version: release, first: at, last: at }
      span.first = Math.min(span.first, at)
      span.last = Math.max(span.last, at)
      spans.set(key, span)
    }
    if (environment !== null && environment !== '') {
      const key = `${projectId} ${environment}`
      const known = environments.get(key) ?? { projectId, name: environment, at }
      known.at = Math.min(known.at, at)
      environments.set(key, known)
    }
  }
  for (const span of spans.values()) await recordRelease(tx, span)
  for (const environment of environments.values()) await recordEnvironment(tx, environment)
}

async function recordRelease(
  tx: MetadataReader,
  span: { projectId: number; version: string; first: number; last: number },
): Promise<void> {
  const { projectId, version, first, last } = span
  const [known] = await tx.all<{ first_seen: number | null; last_seen: number | null }>(
    'select first_seen, last_seen from releases where project_id = ? and version = ?',
    projectId,
    version,
  )
  if (known === undefined) {
    if (await isFull(tx, 'releases', projectId, RELEASES_PER_PROJECT_MAX)) return
    await tx.all(
      `insert into releases (project_id, version, created_at, first_seen, last_seen)
       values (?, ?, ?, ?, ?)`,
      projectId,
      version,
      first,
      first,
      last,
    )
    return
  }
  const earliest = Math.min(known.first_seen ?? first, first)
  const latest = Math.max(known.last_seen ?? last, last)
  if (earliest === known.first_seen && latest === known.last_seen) return
  await tx.all(
    `update releases set first_seen = ?, last_seen = ?,
       created_at = case when created_at > ? then ? else created_at end
     where project_id = ? and version = ?`,
    earliest,
    latest,
    earliest,
    earliest,
    projectId,
    version,
  )
}

async function recordEnvironment(
  tx: MetadataReader,
  environment: { projectId: number; name: string; at: number },
): Promise<void> {
  const { projectId, name, at } = environment
  const [known] = await tx.all<{ id: number; created_at: number }>(
    'select id, created_at from environments where project_id = ? and name = ?',
    projectId,
    name,
  )
  if (known === undefined) {
    if (await isFull(tx, 'environments', projectId, ENVIRONMENTS_PER_PROJECT_MAX)) return
    await tx.all(
      'insert into environments (project_id, name, created_at) values (?, ?, ?)',
      projectId,
      name,
      at,
    )
  } else if (known.created_at > at) {
    await tx.all('update environments set created_at = ? where id = ?', at, known.id)
  }
}

async function isFull(
  tx: MetadataReader,
  table: 'releases' | 'environments',
  projectId: number,
  max: number,
): Promise<boolean> {
  const [row] = await tx.all<{ n: number }>(
    `select count(*) as n from ${table} where project_id = ?`,
    projectId,
  )
  return (row?.n ?? 0) >= max
}
