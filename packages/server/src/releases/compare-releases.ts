/** A release as far as its place in the order of releases is concerned. */
export interface DatedRelease {
  readonly version: string
  /** When it was released, else first seen, else announced; ms. */
  readonly at: number
}

/**
 * Orders two releases of one project: by semantic version when both have one, by date otherwise.
 * Negative when `a` is the older. A package name before `@` and build data after `+` play no part.
 */
export function compareReleases(a: DatedRelease, b: DatedRelease): number {
  const [left, right] = [parseSemver(a.version), parseSemver(b.version)]
  if (left !== null && right !== null) return compareSemver(left, right)
  return a.at - b.at
}

/** Orders two versions by semver, partial ones too; null when either is not such a version. */
export function compareVersions(a: string, b: string): number | null {
  const [left, right] = [parseSemver(a), parseSemver(b)]
  return left === null || right === null ? null : compareSemver(left, right)
}

/** Returns the newest release of a project, or null when it has none. */
export function newestRelease<R extends DatedRelease>(releases: readonly R[]): R | null {
  const byDate = [...releases].sort((a, b) => b.at - a.at || (a.version < b.version ? 1 : -1))
  const latest = byDate[0]
  if (latest === undefined || parseSemver(latest.version) === null) return latest ?? null
  return byDate
    .filter((release) => parseSemver(release.version) !== null)
    .reduce((best, release) => (compareReleases(release, best) > 0 ? release : best), latest)
}

interface Semver {
  readonly numbers: readonly [number, number, number]
  /** Empty for a full release. */
  readonly prerelease: readonly string[]
}

function parseSemver(version: string): Semver | null {
  const bare = version.slice(version.lastIndexOf('@') + 1)
  const match =
    /^v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{0,200})?$/.exec(
      bare,
    )
  if (match === null) return null
  return {
    numbers: [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)],
    prerelease: match[4] === undefined ? [] : match[4].split('.'),
  }
}

function compareSemver(a: Semver, b: Semver): number {
  for (const place of [0, 1, 2] as const) {
    const difference = a.numbers[place] - b.numbers[place]
    if (difference !== 0) return difference
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return b.prerelease.length - a.prerelease.length
  }
  for (let place = 0; place < Math.max(a.prerelease.length, b.prerelease.length); place += 1) {
    const [left, right] = [a.prerelease[place], b.prerelease[place]]
    if (left === undefined) return -1
    if (right === undefined) return 1
    const difference = compareIdentifiers(left, right)
    if (difference !== 0) return difference
  }
  return 0
}

/** Numbers sort below words and among themselves by value (semver 2.0, rule 11). */
function compareIdentifiers(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumberA && isNumberB) return Number(a) - Number(b)
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
