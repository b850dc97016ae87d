import { AppError } from '../errors.ts'
import { RELEASES_PER_PROJECT_MAX } from '../issues/limits.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

const DEPLOYS_PER_RELEASE_MAX = 1000

/** A release over the projects that have it. Times are ms. */
export interface Release {
  readonly version: string
  readonly createdAt: number
  readonly releasedAt: number | null
  /** Of its events; null when none came yet. */
  readonly firstSeen: number | null
  readonly lastSeen: number | null
  readonly reference: string | null
  readonly url: string | null
  readonly projectIds: readonly number[]
  /** Issues that appeared in it. */
  readonly newIssues: number
}

/** What a build tool says of a release; what is absent stays as it is. */
export interface ReleaseFacts {
  readonly releasedAt?: number
  readonly reference?: string
  readonly url?: string
}

export interface Deploy {
  readonly id: number
  readonly environment: string
  readonly name: string | null
  readonly url: string | null
  readonly startedAt: number | null
  readonly finishedAt: number
}

/** What is wrong with a version, or null. Versions come in paths and headers. */
export function versionProblem(version: string): string | null {
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  const isUsable = /^[^\u0000-\u001f\u007f]{1,200}$/.test(version) && version.trim() === version
  if (isUsable && !['.', '..', 'latest'].includes(version.toLowerCase())) return null
  return 'version: must be 1 to 200 characters, no control characters, and not "latest"'
}

/**
 * Announces a release in projects; one that is there takes the facts. Returns whether it is new in
 * any of them.
 * @throws INPUT_INVALID when a project has too many
 */
export async function announceRelease(
  metadata: Metadata,
  release: {
    readonly version: string
    readonly projectIds: readonly number[]
    readonly now: number
  },
  facts: ReleaseFacts,
): Promise<boolean> {
  return metadata.transaction(async (tx) => {
    let isNew = false
    for (const projectId of release.projectIds) {
      const [count] = await tx.all<{ n: number }>(
        'select count(*) as n from releases where project_id = ?',
        projectId,
      )
      if ((count?.n ?? 0) >= RELEASES_PER_PROJECT_MAX) {
        throw new AppError('INPUT_INVALID', 'version: this project has too many releases')
      }
      const made = await tx.all(
        `insert into releases (project_id, version, created_at) values (?, ?, ?)
         on conflict (project_id, version) do nothing returning version`,
        projectId,
        release.version,
        release.now,
      )
      isNew ||= made.length > 0
      await tx.all(
        `update releases set released_at = coalesce(?, released_at),
           reference = coalesce(?, reference), url = coalesce(?, url)
         where project_id = ? and version = ?`,
        facts.releasedAt ?? null,
        facts.reference ?? null,
        facts.url ?? null,
        projectId,
        release.version,
      )
    }
    return isNew
  })
}

/** Newest first; `like` is a part of the version. */
export async function listReleases(
  metadata: Metadata,
  question: {
    readonly projectIds: readonly number[]
    readonly like: string
    readonly offset: number
    readonly limit: number
  },
): Promise<readonly Release[]> {
  const pattern = `%${question.like.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const rows = await metadata.all<{ version: string }>(
    `select version, min(coalesce(released_at, first_seen, created_at)) as at from releases
     where project_id in (${placeholders(question.projectIds)}) and lower(version) like ? escape '\\'
     group by version order by at desc, version desc limit ? offset ?`,
    ...question.projectIds,
    pattern,
    question.limit,
    question.offset,
  )
  const releases: Release[] = []
  for (const { version } of rows) {
    const release = await findRelease(metadata, question.projectIds, version)
    if (release !== null) releases.push(release)
  }
  return releases
}

/** A release in some projects; null when none of them has it. */
export async function findRelease(
  metadata: Metadata,
  projectIds: readonly number[],
  version: string,
): Promise<Release | null> {
  const rows = await metadata.all<{
    project_id: number
    created_at: number
    first_seen: number | null
    last_seen: number | null
    released_at: number | null
    reference: string | null
    url: string | null
  }>(
    `select project_id, created_at, first_seen, last_seen, released_at, reference, url
     from releases where version = ? and project_id in (${placeholders(projectIds)})
     order by project_id`,
    version,
    ...projectIds,
  )
  const [first] = rows
  if (first === undefined) return null
  const [issues] = await metadata.all<{ n: number }>(
    `select count(*) as n from issues
     where first_release = ? and project_id in (${placeholders(projectIds)})`,
    version,
    ...projectIds,
  )
  const times = (pick: (row: (typeof rows)[number]) => number | null) =>
    rows.map(pick).filter((at) => at !== null)
  const seen = times((row) => row.first_seen)
  const last = times((row) => row.last_seen)
  return {
    version,
    createdAt: Math.min(...rows.map((row) => row.created_at)),
    releasedAt: times((row) => row.released_at)[0] ?? null,
    firstSeen: seen.length === 0 ? null : Math.min(...seen),
    lastSeen: last.length === 0 ? null : Math.max(...last),
    reference: rows.find((row) => row.reference !== null)?.reference ?? null,
    url: rows.find((row) => row.url !== null)?.url ?? null,
    projectIds: rows.map((row) => row.project_id),
    newIssues: issues?.n ?? 0,
  }
}

/** Remembers that a release went out; in each of its projects. @throws INPUT_INVALID when there are too many */
export async function recordDeploy(
  metadata: Metadata,
  release: Release,
  deploy: Omit<Deploy, 'id'>,
): Promise<Deploy> {
  return metadata.transaction(async (tx) => {
    const [count] = await tx.all<{ n: number }>(
      'select count(*) as n from deploys where version = ?',
      release.version,
    )
    if ((count?.n ?? 0) >= DEPLOYS_PER_RELEASE_MAX) {
      throw new AppError('INPUT_INVALID', 'environment: this release has too many deploys')
    }
    let id = 0
    for (const projectId of release.projectIds) {
      const [row] = await tx.all<{ id: number }>(
        `insert into deploys (project_id, version, environment, name, url, started_at, finished_at)
         values (?, ?, ?, ?, ?, ?, ?) returning id`,
        projectId,
        release.version,
        deploy.environment,
        deploy.name,
        deploy.url,
        deploy.startedAt,
        deploy.finishedAt,
      )
      id ||= row?.id ?? 0
    }
    return { id, ...deploy }
  })
}

/** Newest first, each once. */
export async function deploysOf(metadata: Metadata, release: Release): Promise<readonly Deploy[]> {
  return metadata.all<Deploy>(
    `select min(id) as id, environment, name, url, started_at as "startedAt",
       finished_at as "finishedAt"
     from deploys where version = ? and project_id in (${placeholders(release.projectIds)})
     group by environment, name, url, started_at, finished_at
     order by finished_at desc limit 100`,
    release.version,
    ...release.projectIds,
  )
}
