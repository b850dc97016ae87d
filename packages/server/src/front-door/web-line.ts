import type { Socket } from 'node:net'

/** Asks `web` for one request and answers it; never rejects. Ends early when the signal says so. */
export type Serve = (signal: AbortSignal) => Promise<void>

/**
 * The requests of one connection that are for `web`, which is asked for one of them at a time: a
 * connection can carry thousands, and their answers can only leave in order.
 */
export class WebLine {
  readonly #waitingMax: number
  #waiting: Serve[] = []
  #current: AbortController | null = null

  /** @param waitingMax how many may wait behind the one that is served */
  constructor(socket: Socket, waitingMax: number) {
    this.#waitingMax = waitingMax
    socket.once('close', () => {
      this.#waiting = []
      this.#current?.abort()
    })
  }

  /** False when too many wait already. */
  add(serve: Serve): boolean {
    if (this.#current === null) {
      void this.#run(serve)
      return true
    }
    if (this.#waiting.length >= this.#waitingMax) return false
    this.#waiting.push(serve)
    return true
  }

  async #run(first: Serve): Promise<void> {
    for (let serve: Serve | undefined = first; serve !== undefined; serve = this.#waiting.shift()) {
      this.#current = new AbortController()
      await serve(this.#current.signal)
    }
    this.#current = null
  }
}
