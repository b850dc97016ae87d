/**
 * Ends the reading of bodies that come too slowly. One timer for all of them: two of its own for
 * each request showed as a twentieth of the front door's work.
 */
export interface WatchedBody {
  readonly startedAt: number
  /** When its last bytes came; kept up to date by its reader. */
  lastBytesAt: number
  expire(): void
}

export class BodyWatch {
  readonly #idleMs: number
  readonly #totalMs: number
  readonly #bodies = new Set<WatchedBody>()
  readonly #timer: NodeJS.Timeout

  constructor(limits: { readonly bodyIdleMs: number; readonly bodyMs: number }) {
    this.#idleMs = limits.bodyIdleMs
    this.#totalMs = limits.bodyMs
    const everyMs = Math.max(10, Math.min(1000, limits.bodyIdleMs / 4, limits.bodyMs / 4))
    this.#timer = setInterval(() => this.#look(performance.now()), everyMs).unref()
  }

  add(body: WatchedBody): void {
    this.#bodies.add(body)
  }

  delete(body: WatchedBody): void {
    this.#bodies.delete(body)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(now: number): void {
    for (const body of this.#bodies) {
      const isLate = now - body.lastBytesAt > this.#idleMs || now - body.startedAt > this.#totalMs
      if (isLate) body.expire()
    }
  }
}
