import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../packages/server/src/errors.ts'
import { acquireLock } from '../../packages/server/src/programs/lock.ts'
import { fingerprintOf, root } from './fingerprint.ts'

/** The folder of the console, on which Next is started. */
export const consoleFolder = join(root, 'apps/console')

/** The inputs of the build: a change in any of these files requires a new one. */
const SOURCES = [
  'apps/console',
  ...['protocol', 'sdk-core', 'browser', 'replay', 'next'].map((name) => `packages/${name}/src`),
  'package-lock.json',
]
/** A second start beside this one waits for its build rather than building twice. */
const BUILD_WAIT_MS = 300_000
/** Builds kept: this version's, and those that servers started earlier may still be reading. */
const BUILDS_MAX = 4

/**
 * Builds the console unless there is a build of these very sources, and returns its folder,
 * relative to the console's. Each version of the sources has a folder of its own, so that a new
 * build never changes the files of a server that runs.
 * @throws CONFIG_INVALID when the build fails, with what it printed
 */
export async function buildConsole(say: (line: string) => void): Promise<string> {
  const fingerprint = fingerprintOf(SOURCES)
  const build = `.next/builds/${fingerprint.slice(0, 16)}`
  const stamp = join(consoleFolder, build, 'complete')
  if (existsSync(stamp)) return build
  const lock = await acquireLock(
    join(root, 'node_modules', '.cache', 'console-build'),
    BUILD_WAIT_MS,
  )
  try {
    if (existsSync(stamp)) return build
    say('Building the console (once per version, about a minute) …')
    const startedAt = performance.now()
    await runNextBuild(build, say)
    writeFileSync(stamp, '')
    forgetOldBuilds()
    say(`Built the console in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`)
  } finally {
    lock.release()
  }
  return build
}

function forgetOldBuilds(): void {
  const folder = join(consoleFolder, '.next/builds')
  const builds = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of builds.slice(BUILDS_MAX)) rmSync(path, { recursive: true, force: true })
}

async function runNextBuild(build: string, say: (line: string) => void): Promise<void> {
  const next = fileURLToPath(import.meta.resolve('next/dist/bin/next', `file://${consoleFolder}/`))
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: consoleFolder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      AFTERIMAGE_CONSOLE_BUILD: build,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = (): void => void child.kill()
  process.once('exit', end)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      for (const line of text.split('\n'))
        if (/✓|Compiled|Generating/.test(line)) say(`  ${line.trim()}`)
    })
  }
  const [code] = (await once(child, 'exit')) as [number | null]
  process.off('exit', end)
  if (code !== 0) {
    throw new AppError('CONFIG_INVALID', `The console could not be built:\n${printed.slice(-4000)}`)
  }
}
