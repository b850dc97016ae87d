import { commitsOf, type Commit } from './commits.ts'
import { type Deploy, deploysOf, type Release } from './releases.ts'
import { iso, isoOrNull } from '../api/answer.ts'
import type { ApiContext } from '../api/context.ts'
import { allProjects, type ProjectRow } from '../api/parameters.ts'

/** Releases as the API shows them, with their deploys and the newest of their commits. */
export async function serializeReleases(api: ApiContext, releases: readonly Release[]) {
  const versions = releases.map(({ version }) => version)
  const projectIds = [...new Set(releases.flatMap((release) => release.projectIds))]
  const [projects, deploys, commits] = await Promise.all([
    allProjects(api),
    deploysOf(api.metadata, releases),
    commitsOf(api.metadata, versions, projectIds),
  ])
  return releases.map((release) =>
    serializeRelease(release, {
      projects,
      deploys: deploys.get(release.version) ?? [],
      commits: commits.get(release.version) ?? [],
    }),
  )
}

function serializeRelease(
  release: Release,
  around: {
    readonly projects: ReadonlyMap<number, ProjectRow>
    readonly deploys: readonly Deploy[]
    readonly commits: readonly Commit[]
  },
) {
  const { deploys, commits } = around
  return {
    id: release.id,
    version: release.version,
    shortVersion: release.version.slice(release.version.lastIndexOf('@') + 1),
    status: release.archivedAt === null ? 'open' : 'archived',
    ref: release.reference,
    url: release.url,
    dateCreated: iso(release.createdAt),
    dateReleased: isoOrNull(release.releasedAt),
    firstEvent: isoOrNull(release.firstSeen),
    lastEvent: isoOrNull(release.lastSeen),
    newGroups: release.newIssues,
    commitCount: commits.length,
    lastCommit: commits[0] === undefined ? null : serializeCommit(commits[0], release),
    authors: authorsOf(commits),
    owner: null,
    deployCount: deploys.length,
    lastDeploy: deploys[0] === undefined ? null : serializeDeploy(deploys[0]),
    projects: release.projectIds.flatMap((id) => {
      const project = around.projects.get(id)
      if (project === undefined) return []
      const { slug, name, platform } = project
      return [{ id, slug, name, platform, newGroups: release.newIssues }]
    }),
  }
}

function authorsOf(commits: readonly Commit[]) {
  const byEmail = new Map<string, { name: string | null; email: string | null }>()
  for (const { authorName: name, authorEmail: email } of commits) {
    const key = email ?? name
    if (key !== null && !byEmail.has(key)) byEmail.set(key, { name, email })
  }
  return [...byEmail.values()]
}

/** A commit; one without a time of its own has that of its release. */
export function serializeCommit(commit: Commit, release: Release) {
  const { id, message, repository, authorName: name, authorEmail: email } = commit
  return {
    id,
    message,
    dateCreated: iso(commit.at ?? release.createdAt),
    author: name === null && email === null ? null : { name, email },
    repository: repository === null ? null : { id: repository, name: repository },
  }
}

export function serializeDeploy(deploy: Deploy) {
  return {
    id: String(deploy.id),
    environment: deploy.environment,
    name: deploy.name,
    url: deploy.url,
    dateStarted: isoOrNull(deploy.startedAt),
    dateFinished: iso(deploy.finishedAt),
  }
}
