import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { mapComment, readBuild } from './sourcemaps/built-files.ts'
import { giveDebugIds, type NamedScript } from './sourcemaps/give-debug-ids.ts'
import { filesMax } from './sourcemaps/limits.ts'
import { makeArchive } from './sourcemaps/make-archive.ts'
import { ask, uploadArchive, type UploadTarget } from './sourcemaps/upload-archive.ts'
import { UploadFailed } from './sourcemaps/upload-failed.ts'
import { UsageError } from './usage-error.ts'

const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  project: { type: 'string' },
  release: { type: 'string' },
  dist: { type: 'string' },
  'url-prefix': { type: 'string', default: '~/' },
  'delete-maps': { type: 'boolean', default: false },
} as const

/**
 * Runs `sourcemaps upload <dir>`: gives the scripts of a build debug ids, and uploads them with their
 * maps as one archive. Server and token come from the flags, else from `AFTERIMAGE_URL` and
 * `AFTERIMAGE_TOKEN`.
 */
export async function sourcemaps(rest: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...rest], allowPositionals: true, options })
  const [verb, folder, ...others] = positionals
  if (verb !== 'upload' || folder === undefined || others.length > 0) {
    throw new UsageError('sourcemaps: give "upload" and one folder')
  }
  const root = resolve(folder)
  if (!(await stat(root).catch(() => null))?.isDirectory()) {
    throw new UsageError(`sourcemaps: "${folder}" is not a folder`)
  }
  try {
    const target = targetOf(values.url, values.token)
    const scripts = await namedScripts(root, folder)
    const project = values.project ?? (await onlyProject(target))
    const { release = null, dist = null } = values
    await uploadScripts(target, scripts, {
      urlPrefix: `${values['url-prefix'].replace(/\/*$/, '')}/`,
      project,
      release,
      dist,
    })
    if (values['delete-maps']) await deleteMaps(scripts)
  } catch (error) {
    if (!(error instanceof UploadFailed)) throw error
    console.error(`sourcemaps: ${error.message}`)
    process.exitCode = 1
  }
}

function targetOf(url: string | undefined, token: string | undefined): UploadTarget {
  const server = url ?? process.env.AFTERIMAGE_URL ?? ''
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? '')) {
    throw new UsageError('--url: give the address of your server, beginning with https://')
  }
  const secret = token ?? process.env.AFTERIMAGE_TOKEN ?? ''
  if (secret === '') throw new UsageError('--token: give a token of your server that may write')
  return { server: server.replace(/\/+$/, ''), token: secret }
}

async function namedScripts(root: string, folder: string): Promise<readonly NamedScript[]> {
  const found = await readBuild(root)
  if (found === null) {
    throw new UploadFailed(`"${folder}" has more than ${filesMax} scripts; upload its parts.`)
  }
  if (!found.some(({ map }) => map !== null)) {
    throw new UploadFailed(
      `"${folder}" has ${found.length} scripts and no source map: let the bundler write maps (sourcemap: true).`,
    )
  }
  const { scripts, changed } = await giveDebugIds(found)
  const maps = scripts.filter(({ map }) => map !== null).length
  console.log(`${scripts.length} scripts, ${maps} maps, ${changed} debug ids written.`)
  return scripts
}

/** The project of a server that has one; another one must be named. */
async function onlyProject(target: UploadTarget): Promise<string> {
  const projects = await ask<readonly { readonly slug: string }[]>(
    target,
    `${target.server}/api/0/projects/`,
  )
  const slugs = projects.map(({ slug }) => slug).filter((slug) => slug !== selfProjectSlug)
  if (slugs.length === 1 && slugs[0] !== undefined) return slugs[0]
  throw new UploadFailed(
    slugs.length === 0
      ? 'The server has no project yet.'
      : `Say which project with --project: ${slugs.join(', ')}.`,
  )
}

async function uploadScripts(
  target: UploadTarget,
  scripts: readonly NamedScript[],
  meant: {
    readonly urlPrefix: string
    readonly project: string
    readonly release: string | null
    readonly dist: string | null
  },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'afterimage-upload-'))
  try {
    const path = join(folder, 'archive.zip')
    const files = await makeArchive(scripts, { ...meant, path })
    const { size } = await stat(path)
    console.log(`Uploading ${files} files (${(size / 1e6).toFixed(1)} MB) to ${target.server} …`)
    await uploadArchive(target, { ...meant, path }, (sent, of) => {
      if (of > 1) console.log(`  ${sent} of ${of} parts`)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const { project, release } = meant
  console.log(`Uploaded for ${project}${release === null ? '' : `, release ${release}`}.`)
}

/** Maps are not for everybody: their files go, and scripts no longer name them. */
async function deleteMaps(scripts: readonly NamedScript[]): Promise<void> {
  for (const { path, code, map } of scripts) {
    if (map === null) continue
    await writeFile(path, code.replace(mapComment, ''))
    await rm(map.path, { force: true })
  }
  console.log('The maps were deleted here.')
}
