import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

/** Commits of one release; a longer list is that of a first release, of which the newest are kept. */
export const COMMITS_PER_RELEASE_MAX = 1000

export interface Commit {
  /** The hash. */
  readonly id: string
  readonly repository: string | null
  readonly message: string | null
  readonly authorName: string | null
  readonly authorEmail: string | null
  /** ms */
  readonly at: number | null
}

/** Puts the commits of a release in place of those it had, in each of its projects. */
export async function replaceCommits(
  metadata: Metadata,
  release: { readonly version: string; readonly projectIds: readonly number[] },
  commits: readonly Commit[],
): Promise<void> {
  await metadata.transaction(async (tx) => {
    await forgetCommits(tx, release)
    for (const projectId of release.projectIds) {
      for (const [position, commit] of commits.slice(0, COMMITS_PER_RELEASE_MAX).entries()) {
        await tx.all(
          `insert into release_commits (project_id, version, position, commit_id, repository,
             message, author_name, author_email, committed_at)
           values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          projectId,
          release.version,
          position,
          commit.id,
          commit.repository,
          commit.message,
          commit.authorName,
          commit.authorEmail,
          commit.at,
        )
      }
    }
  })
}

/** Deletes the commits of a release. */
export async function forgetCommits(
  tx: MetadataReader,
  release: { readonly version: string; readonly projectIds: readonly number[] },
): Promise<void> {
  await tx.all(
    `delete from release_commits
     where version = ? and project_id in (${placeholders(release.projectIds)})`,
    release.version,
    ...release.projectIds,
  )
}

/** The commits of some releases by version, the newest first, each once. */
export async function commitsOf(
  metadata: Metadata,
  versions: readonly string[],
  projectIds: readonly number[],
): Promise<ReadonlyMap<string, readonly Commit[]>> {
  const rows = await metadata.all<Commit & { readonly version: string }>(
    `select version, commit_id as id, min(repository) as repository, min(message) as message,
       min(author_name) as "authorName", min(author_email) as "authorEmail",
       min(committed_at) as at
     from release_commits where version in (${placeholders(versions)})
       and project_id in (${placeholders(projectIds)})
     group by version, commit_id order by min(position)`,
    ...versions,
    ...projectIds,
  )
  return Map.groupBy(rows, (row) => row.version)
}

/** The repositories that commits name, by name. */
export async function repositoriesOf(
  metadata: Metadata,
  projectIds: readonly number[],
): Promise<readonly string[]> {
  const rows = await metadata.all<{ repository: string }>(
    `select distinct repository from release_commits
     where repository is not null and project_id in (${placeholders(projectIds)})
     order by repository limit 100`,
    ...projectIds,
  )
  return rows.map((row) => row.repository)
}
