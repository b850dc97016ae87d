/**
 * A file layer that records what is written and what is synced, and the disk that a power cut would
 * leave. Tests put it under a store with
 *
 *     vi.mock('node:fs', async () => (await import('…/power-cut.ts')).recordingFs())
 *     vi.mock('node:fs/promises', async () => (await import('…/power-cut.ts')).recordingFsPromises())
 *
 * The real files are written too. The model is POSIX's, at its strictest: a file's bytes are on the
 * disk after its `fsync` (or at once with `O_DSYNC`), a name after the `fsync` of its folder. Everything
 * else may be there or not, each write and each name for itself.
 */
import type * as Fs from 'node:fs'
import type * as FsPromises from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

// Not imported: a test that mocks the module loads this one while it does so.
const { constants, mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')

type Step =
  | { readonly type: 'file'; readonly path: string; readonly file: number }
  | { readonly type: 'folder'; readonly path: string }
  | {
      readonly type: 'bytes'
      readonly file: number
      readonly at: number
      readonly bytes: Buffer
      readonly isDurable: boolean
    }
  | { readonly type: 'size'; readonly file: number; readonly size: number }
  | { readonly type: 'rename'; readonly from: string; readonly to: string; readonly file: number }
  | { readonly type: 'removal'; readonly path: string }
  | { readonly type: 'sync'; readonly file: number }
  | { readonly type: 'folder sync'; readonly path: string }
  | { readonly type: 'acknowledged'; readonly name: string }

let steps: Step[] = []
let files = 0
const fileAtPath = new Map<string, number>()
interface OpenFile {
  readonly file: number
  /** Null for a file. */
  readonly folder: string | null
  readonly isDurable: boolean
  at: number
}
const openByDescriptor = new Map<number, OpenFile>()

/** Starts a new recording. */
export function startRecording(): void {
  steps = []
  fileAtPath.clear()
}

/** Notes a promise to the caller: its data must survive from here on. */
export function acknowledge(name: string): void {
  steps.push({ type: 'acknowledged', name })
}

export interface PowerCut {
  /** Promises made before the cut. */
  readonly acknowledged: readonly string[]
  /** Writes the remains of `folder` into another one. */
  restore(folder: string, into: string): void
}

/**
 * Cuts the power after every recorded step. `survives` decides for each unsynced step whether it
 * reached the disk; by default none has.
 */
export function* powerCuts(survives: () => boolean = () => false): Generator<PowerCut> {
  for (let end = 0; end <= steps.length; end += 1) {
    const done = steps.slice(0, end)
    const left = done.filter((step, index) => isSynced(done, step, index) || survives())
    yield {
      acknowledged: done.flatMap((step) => (step.type === 'acknowledged' ? [step.name] : [])),
      restore: (folder, into) => restore(left, folder, into),
    }
  }
}

function isSynced(done: readonly Step[], step: Step, index: number): boolean {
  const later = done.slice(index + 1)
  switch (step.type) {
    case 'bytes':
      if (step.isDurable) return true
      return later.some((it) => it.type === 'sync' && it.file === step.file)
    case 'size':
      return later.some((it) => it.type === 'sync' && it.file === step.file)
    case 'file':
    case 'folder':
    case 'removal':
      return later.some((it) => it.type === 'folder sync' && it.path === dirname(step.path))
    case 'rename':
      return later.some((it) => it.type === 'folder sync' && it.path === dirname(step.to))
    case 'sync':
    case 'folder sync':
    case 'acknowledged':
      return true
  }
}

function restore(left: readonly Step[], folder: string, into: string): void {
  const names = new Map<string, number>()
  const folders = new Set([folder])
  const contents = new Map<number, Buffer>()
  for (const step of left) {
    if (step.type === 'file') names.set(step.path, step.file)
    else if (step.type === 'folder') folders.add(step.path)
    else if (step.type === 'removal') {
      names.delete(step.path)
      folders.delete(step.path)
    } else if (step.type === 'rename') {
      // One entry of the new folder: it exists whether or not the old name ever did.
      names.delete(step.from)
      names.set(step.to, step.file)
    } else if (step.type === 'bytes') {
      contents.set(step.file, written(contents.get(step.file), step.at, step.bytes))
    } else if (step.type === 'size') {
      contents.set(step.file, (contents.get(step.file) ?? Buffer.alloc(0)).subarray(0, step.size))
    }
  }
  const isReachable = (path: string): boolean =>
    path === folder || (folders.has(path) && isReachable(dirname(path)))
  for (const path of folders) {
    if (isReachable(path)) mkdirSync(join(into, relative(folder, path)), { recursive: true })
  }
  for (const [path, file] of names) {
    if (!isReachable(dirname(path))) continue
    writeFileSync(join(into, relative(folder, path)), contents.get(file) ?? Buffer.alloc(0))
  }
}

function written(before: Buffer | undefined, at: number, bytes: Buffer): Buffer {
  const after = Buffer.alloc(Math.max(before?.length ?? 0, at + bytes.length))
  before?.copy(after)
  bytes.copy(after, at)
  return after
}

function noteOpened(path: string, flags: string | number | undefined, isFolder: boolean): OpenFile {
  const isNew =
    typeof flags === 'number' ? (flags & constants.O_CREAT) !== 0 : /^[wa]/.test(flags ?? 'r')
  if (isNew && !fileAtPath.has(path)) {
    files += 1
    fileAtPath.set(path, files)
    steps.push({ type: 'file', path, file: files })
  }
  const file = fileAtPath.get(path) ?? -1
  if (isNew && typeof flags === 'string' && flags.startsWith('w')) {
    steps.push({ type: 'size', file, size: 0 })
  }
  const isDurable = typeof flags === 'number' && (flags & constants.O_DSYNC) !== 0
  return { file, folder: isFolder ? path : null, isDurable, at: 0 }
}

function noteWritten(open: OpenFile | undefined, bytes: Uint8Array, position: number | null): void {
  if (open === undefined) return
  const at = position ?? open.at
  if (position === null) open.at += bytes.byteLength
  const { file, isDurable } = open
  steps.push({ type: 'bytes', file, at, bytes: Buffer.from(bytes), isDurable })
}

function noteSynced(open: OpenFile | undefined): void {
  if (open === undefined) return
  steps.push(
    open.folder === null
      ? { type: 'sync', file: open.file }
      : { type: 'folder sync', path: open.folder },
  )
}

function noteRenamed(from: string, to: string): void {
  const file = fileAtPath.get(from) ?? -1
  steps.push({ type: 'rename', from, to, file })
  fileAtPath.delete(from)
  fileAtPath.set(to, file)
}

function noteRemoved(path: string): void {
  steps.push({ type: 'removal', path })
  fileAtPath.delete(path)
}

/** Returns the folders that `mkdir` has made, from the first one that it names to the last. */
function noteFolders(path: string, first: string | undefined): void {
  if (first === undefined) return
  const made: string[] = []
  for (let at = path; at.length >= first.length; at = dirname(at)) made.unshift(at)
  for (const folder of made) steps.push({ type: 'folder', path: folder })
}

/** Wraps `node:fs`, to record the calls of the embedded queue's thread. */
export function recordingFs(): typeof Fs {
  const fs = process.getBuiltinModule('node:fs')
  const recording = {
    ...fs,
    openSync: (path: string, flags: string | number, mode?: number) => {
      const isFolder = fs.existsSync(path) && fs.statSync(path).isDirectory()
      const descriptor = fs.openSync(path, flags, mode)
      openByDescriptor.set(descriptor, noteOpened(path, flags, isFolder))
      return descriptor
    },
    writeSync: (file: number, bytes: Buffer, offset: number, length: number, at: number) => {
      const count = fs.writeSync(file, bytes, offset, length, at)
      noteWritten(openByDescriptor.get(file), bytes.subarray(offset, offset + count), at)
      return count
    },
    writevSync: (file: number, vectors: readonly Uint8Array[], at: number) => {
      const count = fs.writevSync(file, vectors, at)
      const bytes = Buffer.concat(vectors).subarray(0, count)
      // One write may span several pages, of which the disk may have only some.
      const half = Math.floor(bytes.length / 2)
      noteWritten(openByDescriptor.get(file), bytes.subarray(0, half), at)
      noteWritten(openByDescriptor.get(file), bytes.subarray(half), at + half)
      return count
    },
    ftruncateSync: (file: number, size: number) => {
      fs.ftruncateSync(file, size)
      const open = openByDescriptor.get(file)
      if (open !== undefined) steps.push({ type: 'size', file: open.file, size })
    },
    fsyncSync: (file: number) => {
      fs.fsyncSync(file)
      noteSynced(openByDescriptor.get(file))
    },
    closeSync: (file: number) => {
      fs.closeSync(file)
      openByDescriptor.delete(file)
    },
  } as unknown as typeof Fs
  return { ...recording, default: recording } as unknown as typeof Fs
}

/** Wraps `node:fs/promises`, to record the calls of the stores. */
export function recordingFsPromises(): typeof FsPromises {
  const fs = process.getBuiltinModule('node:fs/promises')
  const recording = {
    ...fs,
    open: async (path: string, flags?: string) => {
      const handle = await fs.open(path, flags)
      const isFolder = (await handle.stat()).isDirectory()
      return recordingHandle(handle, noteOpened(path, flags, isFolder))
    },
    writeFile: async (path: string, bytes: string | Uint8Array) => {
      await fs.writeFile(path, bytes)
      noteWritten(noteOpened(path, 'w', false), Buffer.from(bytes as string), 0)
    },
    rename: async (from: string, to: string) => {
      await fs.rename(from, to)
      noteRenamed(from, to)
    },
    mkdir: async (path: string, options: Fs.MakeDirectoryOptions) => {
      const first = await fs.mkdir(path, options)
      noteFolders(path, first)
      return first
    },
    unlink: async (path: string) => {
      await fs.unlink(path)
      noteRemoved(path)
    },
    rm: async (path: string, options: Fs.RmOptions) => {
      await fs.rm(path, options)
      noteRemoved(path)
    },
    rmdir: async (path: string) => {
      await fs.rmdir(path)
      noteRemoved(path)
    },
  } as unknown as typeof FsPromises
  return { ...recording, default: recording } as unknown as typeof FsPromises
}

function recordingHandle(handle: FsPromises.FileHandle, open: OpenFile): FsPromises.FileHandle {
  return new Proxy(handle, {
    get(target, name) {
      if (name === 'writeFile') {
        return async (body: Uint8Array | AsyncIterable<Uint8Array>) => {
          const chunks = body instanceof Uint8Array ? [body] : await Array.fromAsync(body)
          const bytes = Buffer.concat(chunks)
          await target.writeFile(bytes)
          noteWritten(open, bytes, null)
        }
      }
      if (name === 'sync' || name === 'datasync') {
        return async () => {
          await target[name]()
          noteSynced(open)
        }
      }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
}
