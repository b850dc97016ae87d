import { SEARCH_VALUES_MAX } from '../search/limits.ts'
import type { KeyTerm, SearchTerm, SearchTree } from '../search/parse.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'

/** Versions that are looked at for one name. */
const CANDIDATES_MAX = 1000

interface Place {
  readonly metadata: MetadataReader
  readonly projectIds: readonly number[]
}

const RELEASE_KEYS = /^(?:release|first[-_]?release)$/i

/**
 * Puts full versions where a search names releases as lists show them: `2.14.0` for `shop@2.14.0`,
 * the first characters of a commit, or a pattern of either. A name that no release has stays.
 */
export async function nameReleases(
  tree: SearchTree,
  metadata: MetadataReader,
  projectIds: readonly number[],
): Promise<SearchTree> {
  if (!tree.some(namesRelease)) return tree
  return Promise.all(
    tree.map(async (term) =>
      namesRelease(term) ? await withVersions(term, { metadata, projectIds }) : term,
    ),
  )
}

function namesRelease(term: SearchTerm): term is KeyTerm {
  return term.type === 'key' && RELEASE_KEYS.test(term.key) && term.comparison === '='
}

async function withVersions(term: KeyTerm, place: Place): Promise<KeyTerm> {
  const found = await Promise.all(
    term.values.map((value) => versionsCalled(value, term.isQuoted, place)),
  )
  const values = [...new Set(found.flat())]
  // Too many for one condition: the original text still matches, if only whole versions.
  return values.length > SEARCH_VALUES_MAX ? term : { ...term, values }
}

/** The versions that have this name, in whole or in short; the name itself when none has. */
async function versionsCalled(
  name: string,
  isQuoted: boolean,
  { metadata, projectIds }: Place,
): Promise<readonly string[]> {
  const parts = isQuoted ? [name] : name.split('*')
  if (parts.every((part) => part === '')) return [name]
  const rows = await metadata.all<{ version: string }>(
    `select distinct version from releases
     where project_id in (${placeholders(projectIds)}) and version like ? escape '\\' limit ?`,
    ...projectIds,
    `%${parts.map((part) => part.replaceAll(/[\\%_]/g, '\\$&')).join('%')}%`,
    CANDIDATES_MAX,
  )
  const isCalled = new RegExp(`^${parts.map(RegExp.escape).join('.*')}$`, 'is')
  const versions = rows
    .map(({ version }) => version)
    .filter((version) => isCalled.test(version) || isCalled.test(shortName(version)))
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
