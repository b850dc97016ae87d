import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MagicString } from 'magic-string'
import { findFiles } from './find-files.ts'
import { fileBytesMax } from './limits.ts'
import { packagesNamed, rewriteManifest } from './rewrite-manifest.ts'
import type { TarballOf } from './rewrite-manifest.ts'
import { rewriteScript } from './rewrite-script.ts'
import type { Remark } from './rewriting.ts'
import { scriptBlocks } from './script-blocks.ts'
import { sideOf } from './side.ts'

/** A file that changes, by its path below the folder. */
export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** The move of one application to our client. */
export interface Move {
  readonly changes: readonly Change[]
  /** Parts that were left alone, or that a person should look at. */
  readonly remarks: readonly (Remark & { readonly path: string })[]
}

/**
 * Plans the move of an application: its sources, and its manifests when the tarballs are known. It
 * writes nothing. Null when the folder has more files than one run reads.
 */
export async function planMove(root: string, tarballOf: TarballOf | null): Promise<Move | null> {
  const found = await findFiles(root)
  if (!found.isWhole) return null
  const changes: Change[] = []
  const remarks: (Remark & { path: string })[] = found.tooLarge.map((path) => ({
    path,
    line: 1,
    what: 'file',
    why: `it has more than ${fileBytesMax} bytes`,
  }))
  const manifests = new Map<string, { ours: Set<string>; sentry: Set<string> }>()
  for (const path of found.files) {
    if (basename(path) === 'package.json') {
      manifests.set(dirname(path), { ours: new Set(), sentry: new Set() })
    }
  }
  for (const path of found.files) {
    if (basename(path) === 'package.json') continue
    const before = await readFile(join(root, path), 'utf8')
    const { after, remarks: own } = rewriteSource(path, before)
    if (after !== before) changes.push({ path, before, after })
    remarks.push(...own.map((it) => ({ path, ...it })))
    const named = manifestOf(manifests, dirname(path))
    for (const name of named === null ? [] : packagesNamed(after)) {
      named?.[name.startsWith('@afterimage/') ? 'ours' : 'sentry'].add(name)
    }
  }
  for (const [folder, named] of manifests) {
    const path = join(folder, 'package.json')
    const before = await readFile(join(root, path), 'utf8')
    const { after, remarks: own } = rewriteManifest(before, named, tarballOf)
    if (after !== before) changes.push({ path, before, after })
    remarks.push(...own.map((it) => ({ path, ...it })))
  }
  return { changes, remarks }
}

/** Rewrites one source. A file that cannot be parsed, in any of its scripts, is left alone. */
export function rewriteSource(
  path: string,
  before: string,
): { readonly after: string; readonly remarks: readonly Remark[] } {
  if (!/@sentry(?:-internal)?\//.test(before)) return { after: before, remarks: [] }
  const text = new MagicString(before)
  const remarks: Remark[] = []
  for (const block of scriptBlocks(path, before)) {
    const outcome = rewriteScript(block, sideOf(path, before), text)
    if (typeof outcome === 'string') {
      const line = Number(/\((\d+):\d+\)/.exec(outcome)?.[1] ?? 1)
      const why = `it cannot be parsed: ${outcome.slice(0, 200)}`
      return { after: before, remarks: [{ line, what: 'file', why }] }
    }
    remarks.push(...outcome)
  }
  return { after: text.toString(), remarks: remarks.sort((a, b) => a.line - b.line) }
}

/** Returns the value of the nearest folder with a manifest; null when no folder above has one. */
function manifestOf<T>(manifests: ReadonlyMap<string, T>, folder: string): T | null {
  const found = manifests.get(folder)
  if (found !== undefined) return found
  return folder === '.' ? null : manifestOf(manifests, dirname(folder))
}
