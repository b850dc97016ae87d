import { watch, type FSWatcher } from 'node:fs'

/** Wakes those who wait for a folder to change; polls where file systems send no notice. */
export class Wake {
  readonly #pollMs: number
  readonly #watcher: FSWatcher | null
  readonly #waiting = new Set<() => void>()
  /** Counts changes, so that one between a look and the wait for it is not missed. */
  #changes = 0

  constructor(folder: string, pollMs: number) {
    this.#pollMs = pollMs
    this.#watcher = startWatching(folder, () => this.notify())
  }

  get changes(): number {
    return this.#changes
  }

  notify(): void {
    this.#changes += 1
    for (const finish of this.#waiting) finish()
  }

  /**
   * Resolves at the first change after `seen`, after the poll time or `untilMs` (whichever is
   * less), or when `signal` aborts.
   */
  async wait(seen: number, untilMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#changes !== seen || signal?.aborted === true) return
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(finish)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, Math.max(1, Math.min(this.#pollMs, untilMs)))
      this.#waiting.add(finish)
      signal?.addEventListener('abort', finish)
    })
  }

  close(): void {
    this.#watcher?.close()
    this.notify()
  }
}

/** Null where the system has no watches left, or none at all: then only the poll wakes. */
function startWatching(folder: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, onChange)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
