/**
 * Deliveries and segments set aside, within bounds: the oldest is deleted first. A delivery is two
 * files, `<lease id>.envelope` with its bytes and `<lease id>.json` with the reason and its origin;
 * a segment with unreadable parts is `<number>.segment`.
 */
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lease } from '../port.ts'
import { makeDurableFolder, syncFile, syncFolder } from '../../sync.ts'

export interface SetAsideLimits {
  readonly setAsideMax: number
  readonly setAsideBytesMax: number
}

export async function writeSetAside(
  folder: string,
  lease: Lease,
  reason: string,
  limits: SetAsideLimits,
): Promise<void> {
  await makeDurableFolder(folder)
  const { bytes, ...delivery } = lease.delivery
  const note = { id: lease.id, reason, attempts: lease.attempts, ...delivery }
  const path = join(folder, lease.id)
  await writeFile(`${path}.envelope`, bytes)
  await writeFile(`${path}.json`, `${JSON.stringify(note, null, 2)}\n`)
  await syncFile(`${path}.envelope`)
  await syncFile(`${path}.json`)
  await syncFolder(folder)
  await makeRoom(folder, `${lease.id}.envelope`, limits)
}

/** Keeps a segment with unreadable parts; returns its new place. */
export async function setSegmentAside(
  folder: string,
  path: string,
  number: number,
  limits: SetAsideLimits,
): Promise<string> {
  await makeDurableFolder(folder)
  const name = `${number}.segment`
  await rename(path, join(folder, name))
  await syncFolder(folder)
  await makeRoom(folder, name, limits)
  return join(folder, name)
}

export async function countSetAside(folder: string): Promise<number> {
  return (await keptIn(folder)).length
}

async function makeRoom(folder: string, newest: string, limits: SetAsideLimits): Promise<void> {
  const names = await keptIn(folder)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  let kept = names.length
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (const [index, name] of names.entries()) {
    if (kept <= limits.setAsideMax && bytes <= limits.setAsideBytesMax) return
    if (name === newest) continue
    await rm(join(folder, name), { force: true })
    await rm(join(folder, name.replace(/envelope$/, 'json')), { force: true })
    kept -= 1
    bytes -= sizes[index] ?? 0
  }
}

/** Lists the kept envelopes and segments, in the order of the log. */
async function keptIn(folder: string): Promise<string[]> {
  let files: string[]
  try {
    files = await readdir(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
  return files
    .filter((file) => /\.(?:envelope|segment)$/.test(file))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
