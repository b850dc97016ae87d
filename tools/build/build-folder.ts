import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../packages/server/src/errors.ts'
import { fingerprintOf, root } from './fingerprint.ts'

/** Builds kept: this version's, and those that servers started earlier may still be reading. */
const BUILDS_MAX = 4

export interface Build {
  /** Folder of its builds, below `.build`. */
  readonly name: string
  /** As messages name it: "the client's scripts". */
  readonly title: string
  /** Files and folders, relative to the root: a change in any of them requires a new build. */
  readonly sources: readonly string[]
  /** Writes the build into a folder that does not exist yet. */
  readonly make: (draft: string) => Promise<void>
}

/**
 * Makes a build unless there is one of these very sources, and returns its folder, which is named
 * after them.
 * @throws CONFIG_INVALID when the build fails, with what it says
 */
export async function buildOnce(build: Build, say: (line: string) => void): Promise<string> {
  const { title } = build
  const folder = join(root, 'tools/build/.build', build.name)
  const target = join(folder, fingerprintOf(build.sources).slice(0, 16))
  if (existsSync(target)) return target
  const startedAt = performance.now()
  say(`Building ${title} (once per version) …`)
  const draft = `${target}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true })
    await build.make(draft)
    publish(draft, target)
  } catch (error) {
    throw new AppError('CONFIG_INVALID', `Building ${title} failed:\n${String(error)}`)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  forgetOldBuilds(folder)
  say(`Built ${title} in ${Math.round(performance.now() - startedAt)} ms.`)
  return target
}

/** Whole or not at all. Another start may have been quicker, with the same files. */
function publish(draft: string, target: string): void {
  writeFileSync(join(draft, 'complete'), '')
  try {
    renameSync(draft, target)
  } catch (error) {
    if (!existsSync(target)) throw error
  }
}

function forgetOldBuilds(folder: string): void {
  const builds = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at)
  for (const { path } of builds.slice(BUILDS_MAX)) rmSync(path, { recursive: true, force: true })
}
