import { problemAt } from '../search/conditions.ts'
import { CONDITION_VALUES_MAX, SEARCH_VALUES_MAX } from '../search/limits.ts'
import type { KeyTerm, SearchProblem, SearchReading, SearchTree } from '../search/parse.ts'
import { replaceTerms } from '../search/replace-terms.ts'
import { wildcard } from '../search/wildcard.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import { compareVersions, newestRelease } from './compare-releases.ts'

/** Versions that are looked at for one name. */
const CANDIDATES_MAX = 1000

interface Place {
  readonly metadata: MetadataReader
  readonly projectIds: readonly number[]
}

const RELEASE_KEYS = /^(?:release|first[-_]?release|release\.version|release\.package)$/i

/**
 * Puts full versions where a search names releases as lists show them: `2.14.0` for `shop@2.14.0`,
 * the first characters of a commit, or a pattern of either; `latest`, `release.version:>1.0` and
 * `release.package:shop`. A name that no release has stays.
 */
export async function nameReleases(
  tree: SearchTree,
  metadata: MetadataReader,
  projectIds: readonly number[],
): Promise<SearchReading> {
  return replaceTerms(tree, RELEASE_KEYS, (term) => withVersions(term, { metadata, projectIds }))
}

async function withVersions(term: KeyTerm, place: Place): Promise<KeyTerm | SearchProblem> {
  const isOfVersion = /^release\.version$/i.test(term.key)
  if (isOfVersion && !term.values.some((value) => value.includes('*'))) {
    return comparedVersions(term, place)
  }
  if (term.comparison !== '=') return term
  const key = /^release\./i.test(term.key) ? 'release' : term.key
  if (/^release\.package$/i.test(term.key)) {
    return { ...term, key, values: term.values.map((value) => `${value}@*`), isQuoted: false }
  }
  const found = await Promise.all(
    term.values.map((value) => versionsCalled(value, term.isQuoted, place)),
  )
  const values = [...new Set(found.flat())]
  // Too many for one condition: the original text still matches, if only whole versions.
  return values.length > SEARCH_VALUES_MAX ? { ...term, key } : { ...term, key, values }
}

/** `release.version:>1.0`: the releases whose version compares so, by the rules of semver. */
async function comparedVersions(
  term: KeyTerm,
  { metadata, projectIds }: Place,
): Promise<KeyTerm | SearchProblem> {
  const rows = await metadata.all<{ version: string }>(
    `select distinct version from releases where project_id in (${placeholders(projectIds)})`,
    ...projectIds,
  )
  const values: string[] = []
  for (const wanted of term.values) {
    const text = /^\d+$/.test(wanted) ? `${wanted}.0` : wanted
    if (compareVersions(text, text) === null) {
      return problemAt(term, `"${wanted.slice(0, 60)}" is not a version like 1.2.3`)
    }
    for (const { version } of rows) {
      const order = compareVersions(version, text)
      if (order !== null && isMet(order, term.comparison)) values.push(version)
    }
  }
  if (values.length > CONDITION_VALUES_MAX) {
    const detail = `more than ${CONDITION_VALUES_MAX} releases have such a version; narrow it down`
    return problemAt(term, detail)
  }
  // Without any, the text itself stays: no release is called so.
  const named = values.length === 0 ? [`${term.comparison}${term.values[0]}`] : values
  return { ...term, key: 'release', comparison: '=', values: named, isQuoted: true }
}

function isMet(order: number, comparison: KeyTerm['comparison']): boolean {
  switch (comparison) {
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '=':
      return order === 0
  }
}

/** The newest release of each project. */
async function latestVersions({ metadata, projectIds }: Place): Promise<readonly string[]> {
  const rows = await metadata.all<{ projectId: number; version: string; at: number }>(
    `select project_id as "projectId", version, coalesce(released_at, first_seen, created_at) as at
     from releases where project_id in (${placeholders(projectIds)})`,
    ...projectIds,
  )
  return [...Map.groupBy(rows, (row) => row.projectId).values()]
    .map((own) => newestRelease(own)?.version)
    .filter((version) => version !== undefined)
}

/** The versions that have this name, in whole or in short; the name itself when none has. */
async function versionsCalled(
  name: string,
  isQuoted: boolean,
  { metadata, projectIds }: Place,
): Promise<readonly string[]> {
  if (name.toLowerCase() === 'latest') {
    const latest = await latestVersions({ metadata, projectIds })
    return latest.length === 0 ? [name] : latest
  }
  const parts = isQuoted ? [name] : name.split('*')
  if (parts.every((part) => part === '')) return [name]
  const rows = await metadata.all<{ version: string }>(
    `select distinct version from releases
     where project_id in (${placeholders(projectIds)}) and version like ? escape '\\' limit ?`,
    ...projectIds,
    `%${parts.map((part) => part.replaceAll(/[\\%_]/g, '\\$&')).join('%')}%`,
    CANDIDATES_MAX,
  )
  const isCalled = wildcard(name, isQuoted)
  const versions = rows
    .map(({ version }) => version)
    .filter((version) => isCalled(version) || isCalled(shortName(version)))
  return versions.length === 0 ? [name] : versions
}

/**
 * Returns the name that lists show: `2.14.0` of `shop@2.14.0`, and the first eight characters of a
 * commit.
 */
function shortName(version: string): string {
  const afterAt = /^[^@\s]+@(.+)$/.exec(version)?.[1] ?? version
  return /^[0-9a-f]{20,}$/i.test(afterAt) ? afterAt.slice(0, 8) : afterAt
}
