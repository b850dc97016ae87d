import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real file system of a few bytes, which can be filled up and turned read-only. */
export interface SmallDisk {
  /** Its root. NOTE: SQLite resolves symbolic links itself, and so does not find this folder. */
  readonly folder: string
  /** Takes all free space. */
  fill(): void
  /** Frees that space again. */
  free(): void
  makeReadOnly(): void
  close(): Promise<void>
}

/** A test may mount only inside a mount namespace of its own. */
const unshare: readonly string[] =
  process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user']

/** Tells whether this machine lets a test mount a file system. */
export function canMountSmallDisk(): boolean {
  const script = 'mount -t tmpfs -o size=1m tmpfs /mnt'
  return spawnSync('unshare', [...unshare, 'sh', '-c', script]).status === 0
}

/** Mounts it where only this process can see it, by way of `/proc`. */
export async function openSmallDisk(bytes: number): Promise<SmallDisk> {
  const place = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const script = `mount -t tmpfs -o size=${bytes} tmpfs "$0" && echo mounted && exec sleep 600`
  const holder = spawn('unshare', [...unshare, 'sh', '-c', script, place])
  await Promise.race([once(holder.stdout, 'data'), failed(holder)])
  const folder = `/proc/${holder.pid}/root${place}`
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => {
      for (let size = bytes; size >= 1; size = Math.floor(size / 2)) {
        while (tryAppend(filler, size)) continue
      }
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => {
      const enter = ['--target', String(holder.pid), '--user', '--mount', '--preserve-credentials']
      const isRoot = process.getuid?.() === 0
      const parameters = isRoot ? enter.filter((word) => !/user|credentials/.test(word)) : enter
      const { status, stderr } = spawnSync('nsenter', [
        ...parameters,
        'mount',
        '-o',
        'remount,ro',
        place,
      ])
      if (status !== 0) throw new Error(`The disk cannot be made read-only: ${stderr}`)
    },
    close: async () => {
      const gone = once(holder, 'exit')
      holder.kill('SIGKILL')
      await gone
      rmSync(place, { recursive: true, force: true })
    },
  }
}

async function failed(holder: ChildProcess): Promise<never> {
  const [code] = (await once(holder, 'exit')) as [number | null]
  throw new Error(`The disk could not be mounted (exit code ${code}).`)
}

function tryAppend(file: string, bytes: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' })
    return true
  } catch {
    return false
  }
}
