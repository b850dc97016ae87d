import { AppError } from '../errors.ts'
import { forgetCommits } from './commits.ts'
import { RELEASES_PER_PROJECT_MAX } from '../issues/limits.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

const DEPLOYS_PER_RELEASE_MAX = 1000

/** A release over the projects that have it. Times are ms. */
export interface Release {
  /** That of its first project; other tools must find one. */
  readonly id: number
  readonly version: string
  /** Null unless it was archived; ms. */
  readonly archivedAt: number | null
  readonly createdAt: number
  readonly releasedAt: number | null
  /** The time of its first event; null before one came. */
  readonly firstSeen: number | null
  readonly lastSeen: number | null
  readonly reference: string | null
  readonly url: string | null
  readonly projectIds: readonly number[]
  /** Issues that appeared in it. */
  readonly newIssues: number
}

/** The facts a build tool gives of a release; absent ones stay as they are. */
export interface ReleaseFacts {
  readonly releasedAt?: number
  readonly reference?: string
  readonly url?: string
  /** Null takes it out of the archive. */
  readonly archivedAt?: number | null
}

export interface Deploy {
  readonly id: number
  readonly environment: string
  readonly name: string | null
  readonly url: string | null
  readonly startedAt: number | null
  readonly finishedAt: number
}

/** Returns the problem with a version, or null. Versions come in paths and headers. */
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
      if (facts.archivedAt === undefined) continue
      await tx.all(
        'update releases set archived_at = ? where project_id = ? and version = ?',
        facts.archivedAt,
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
    /** Lists those that are archived instead of the others. */
    readonly isArchived: boolean
  },
): Promise<readonly Release[]> {
  const pattern = `%${question.like.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const rows = await metadata.all<{ version: string }>(
    `select version, min(coalesce(released_at, first_seen, created_at)) as at from releases
     where project_id in (${placeholders(question.projectIds)}) and lower(version) like ? escape '\\'
       and archived_at is ${question.isArchived ? 'not null' : 'null'}
     group by version order by at desc, version desc limit ? offset ?`,
    ...question.projectIds,
    pattern,
    question.limit,
    question.offset,
  )
  const versions = rows.map(({ version }) => version)
  const found = await readReleases(metadata, question.projectIds, versions)
  return versions.map((version) => found.get(version)).filter((release) => release !== undefined)
}

/** A release in some projects; null when none of them has it. */
export async function findRelease(
  metadata: Metadata,
  projectIds: readonly number[],
  version: string,
): Promise<Release | null> {
  return (await readReleases(metadata, projectIds, [version])).get(version) ?? null
}

interface ReleaseRow {
  readonly id: number
  readonly archived_at: number | null
  readonly project_id: number
  readonly version: string
  readonly created_at: number
  readonly first_seen: number | null
  readonly last_seen: number | null
  readonly released_at: number | null
  readonly reference: string | null
  readonly url: string | null
}

/** Releases by version, read together. */
async function readReleases(
  metadata: Metadata,
  projectIds: readonly number[],
  versions: readonly string[],
): Promise<ReadonlyMap<string, Release>> {
  const rows = await metadata.all<ReleaseRow>(
    `select rowid as id, archived_at, project_id, version, created_at, first_seen, last_seen, released_at, reference, url
     from releases where version in (${placeholders(versions)})
       and project_id in (${placeholders(projectIds)})
     order by project_id`,
    ...versions,
    ...projectIds,
  )
  const issues = await metadata.all<{ version: string; n: number }>(
    `select first_release as version, count(*) as n from issues
     where first_release in (${placeholders(versions)})
       and project_id in (${placeholders(projectIds)})
     group by first_release`,
    ...versions,
    ...projectIds,
  )
  const newIssues = new Map(issues.map(({ version, n }) => [version, n]))
  const releases = new Map<string, Release>()
  for (const [version, own] of Map.groupBy(rows, (row) => row.version)) {
    releases.set(version, releaseOf(version, own, newIssues.get(version) ?? 0))
  }
  return releases
}

/** One release from its row in each project. */
function releaseOf(version: string, rows: readonly ReleaseRow[], newIssues: number): Release {
  const times = (pick: (row: ReleaseRow) => number | null) =>
    rows.map(pick).filter((at) => at !== null)
  const seen = times((row) => row.first_seen)
  const last = times((row) => row.last_seen)
  return {
    id: rows[0]?.id ?? 0,
    version,
    archivedAt: times((row) => row.archived_at)[0] ?? null,
    createdAt: Math.min(...rows.map((row) => row.created_at)),
    releasedAt: times((row) => row.released_at)[0] ?? null,
    firstSeen: seen.length === 0 ? null : Math.min(...seen),
    lastSeen: last.length === 0 ? null : Math.max(...last),
    reference: rows.find((row) => row.reference !== null)?.reference ?? null,
    url: rows.find((row) => row.url !== null)?.url ?? null,
    projectIds: rows.map((row) => row.project_id),
    newIssues,
  }
}

/** Deletes a release with its deploys and commits, in each of its projects; its events stay. */
export async function deleteRelease(metadata: Metadata, release: Release): Promise<void> {
  const where = `version = ? and project_id in (${placeholders(release.projectIds)})`
  await metadata.transaction(async (tx) => {
    await forgetCommits(tx, release)
    for (const table of ['deploys', 'releases']) {
      await tx.all(`delete from ${table} where ${where}`, release.version, ...release.projectIds)
    }
  })
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

const DEPLOYS_LISTED_MAX = 100

/** The deploys of some releases by version, newest first, each once. */
export async function deploysOf(
  metadata: Metadata,
  releases: readonly Release[],
): Promise<ReadonlyMap<string, readonly Deploy[]>> {
  const versions = releases.map(({ version }) => version)
  const projectIds = [...new Set(releases.flatMap((release) => release.projectIds))]
  const rows = await metadata.all<Deploy & { readonly version: string }>(
    `select id, version, environment, name, url, "startedAt", "finishedAt" from (
       select min(id) as id, version, environment, name, url, started_at as "startedAt",
         finished_at as "finishedAt",
         row_number() over (partition by version order by finished_at desc) as place
       from deploys where version in (${placeholders(versions)})
         and project_id in (${placeholders(projectIds)})
       group by version, environment, name, url, started_at, finished_at
     ) as deploys where place <= ${DEPLOYS_LISTED_MAX} order by "finishedAt" desc`,
    ...versions,
    ...projectIds,
  )
  return Map.groupBy(rows, (row) => row.version)
}
