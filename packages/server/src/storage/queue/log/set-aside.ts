/**
 * Deliveries that were moved out of the way, two files each: `<lease id>.envelope` as it came, and
 * `<lease id>.json` with the reason and where it came from. Bounded: the oldest makes room.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lease } from '../port.ts'
import { syncFile, syncFolder } from './sync.ts'

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
  await mkdir(folder, { recursive: true })
  const { bytes, ...delivery } = lease.delivery
  const note = { id: lease.id, reason, attempts: lease.attempts, ...delivery }
  const path = join(folder, lease.id)
  await writeFile(`${path}.envelope`, bytes)
  await writeFile(`${path}.json`, `${JSON.stringify(note, null, 2)}\n`)
  await syncFile(`${path}.envelope`)
  await syncFile(`${path}.json`)
  await syncFolder(folder)
  await makeRoom(folder, lease.id, limits)
}

export async function countSetAside(folder: string): Promise<number> {
  return (await namesOf(folder)).length
}

async function makeRoom(folder: string, newest: string, limits: SetAsideLimits): Promise<void> {
  const names = await namesOf(folder)
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, `${name}.envelope`))).size),
  )
  let kept = names.length
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (const [index, name] of names.entries()) {
    if (kept <= limits.setAsideMax && bytes <= limits.setAsideBytesMax) return
    if (name === newest) continue
    await rm(join(folder, `${name}.envelope`), { force: true })
    await rm(join(folder, `${name}.json`), { force: true })
    kept -= 1
    bytes -= sizes[index] ?? 0
  }
}

/** The lease ids that are kept, in the order of the log. */
async function namesOf(folder: string): Promise<string[]> {
  let files: string[]
  try {
    files = await readdir(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
  return files
    .filter((file) => file.endsWith('.envelope'))
    .map((file) => file.slice(0, -'.envelope'.length))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
