import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createTwoFilesPatch } from 'diff'
import { manifestOf } from '../../../tools/build/package-layout.ts'
import { filesMax } from './migrate-sdk/limits.ts'
import { planMove } from './migrate-sdk/index.ts'
import type { Move } from './migrate-sdk/index.ts'
import { UsageError } from './usage-error.ts'

/** The exit code when parts were left alone. */
const EXIT_LEFT = 3

/**
 * Runs `migrate-sdk <dir>`: shows how the sources of an application move from Sentry's client to
 * ours, and lists what a person has to look at. `--write` writes it. The exit code is 0 when nothing
 * is left, 3 when something is.
 */
export async function migrateSdk(rest: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: { server: { type: 'string' }, write: { type: 'boolean', default: false } },
  })
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0)
    throw new UsageError('migrate-sdk: give one folder')
  const root = resolve(folder)
  if (!(await stat(root).catch(() => null))?.isDirectory()) {
    throw new UsageError(`migrate-sdk: "${folder}" is not a folder`)
  }
  const move = await planMove(root, tarballsOf(values.server))
  if (move === null) {
    throw new UsageError(
      `migrate-sdk: "${folder}" has more than ${filesMax} files; give its parts one by one`,
    )
  }
  if (values.write) {
    for (const { path, after } of move.changes) await writeFile(join(root, path), after)
  }
  console.log(describeMove(move, values.write))
  if (move.remarks.length > 0) process.exitCode = EXIT_LEFT
}

/** Describes a move: its diff, what is left, and a summary. */
export function describeMove({ changes, remarks }: Move, isWritten: boolean): string {
  const diffs = changes.map(({ path, before, after }) =>
    createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, '', '', { context: 2 }),
  )
  const left = remarks.map(({ path, line, what, why }) => `  ${path}:${line}  ${what}: ${why}`)
  return [
    ...diffs,
    ...(left.length > 0 ? ['Left alone, or to be looked at:', ...left] : []),
    `${changes.length} files ${isWritten ? 'changed' : 'would change'}, ${left.length} places to look at.`,
    ...(isWritten || changes.length === 0 ? [] : ['Nothing was written: add --write.']),
  ].join('\n')
}

/** Returns the addresses of the server's tarballs; null without a server. */
function tarballsOf(server: string | undefined): ((name: string) => string) | null {
  if (server === undefined) return null
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? '')) {
    throw new UsageError('--server: give the address of your server, beginning with https://')
  }
  return (name) => {
    const { version } = manifestOf('browser')
    const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
    return new URL(`npm/${file}`, server.replace(/\/*$/, '/')).href
  }
}
