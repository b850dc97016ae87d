import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesMax, fileBytesMax, filesMax } from './limits.ts'

/** The files of an application, by their paths below its folder. */
export interface Found {
  readonly files: readonly string[]
  /** Larger than `fileBytesMax`. */
  readonly tooLarge: readonly string[]
  /** False when there are more files, or entries, than one run reads. */
  readonly isWhole: boolean
}

const sources = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
const builds = new Set(['node_modules', 'bower_components', 'dist', 'build', 'out', 'coverage'])

/**
 * Finds sources and manifests below a folder, in the order of their paths. Dependencies, builds and
 * hidden folders are skipped, and links are not followed: nothing outside of the folder is found.
 */
export async function findFiles(root: string): Promise<Found> {
  const files: string[] = []
  const tooLarge: string[] = []
  let entries = 0
  const waiting = ['']
  for (const folder of waiting) {
    const found = await readdir(join(root, folder), { withFileTypes: true })
    entries += found.length
    for (const entry of found) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !builds.has(entry.name)) waiting.push(path)
      } else if (entry.isFile() && isRead(entry.name)) {
        const { size } = await stat(join(root, path))
        if (size > fileBytesMax) tooLarge.push(path)
        else files.push(path)
      }
      if (files.length > filesMax || entries > entriesMax) {
        return { files: [], tooLarge, isWhole: false }
      }
    }
  }
  return { files: files.sort(), tooLarge: tooLarge.sort(), isWhole: true }
}

function isRead(name: string): boolean {
  return (
    name === 'package.json' || (sources.test(name) && !/\.min\.[cm]?js$|\.d\.[cm]?ts$/.test(name))
  )
}
