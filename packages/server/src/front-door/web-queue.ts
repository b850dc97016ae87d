export interface WebQueueLimits {
  /** Requests that `web` works on at once. */
  readonly webRequestsMax: number
  /** And of one sender, so that there is always room for another. */
  readonly webRequestsPerSenderMax: number
  /** Requests that wait for their turn; beyond it the sender with the longest line is refused. */
  readonly webWaitingMax: number
  /** A request waits this long for its turn. */
  readonly webWaitMs: number
}

/** A request's place, waiting or at work. */
export interface WebTurn {
  /** Gives the place back, whenever that is; a second time does nothing. */
  leave(): void
}

interface Ticket extends WebTurn {
  readonly sender: string
  readonly begin: () => void
  readonly refuse: () => void
  readonly timer: NodeJS.Timeout
}

/**
 * Bounds how much `web` is asked at once. Those who wait are taken in turn by sender, so that one
 * who asks for a thousand pages holds up nobody who asks for one.
 */
export class WebQueue {
  readonly #limits: WebQueueLimits
  /** By sender, in the order of their next turns. */
  readonly #lines = new Map<string, Ticket[]>()
  readonly #workingOf = new Map<string, number>()
  #working = 0
  #waiting = 0

  constructor(limits: WebQueueLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Calls `begin` when it is this request's turn, or `refuse` when there will be none. */
  enter(sender: string, begin: () => void, refuse: () => void): WebTurn {
    if (this.#hasRoomFor(sender)) {
      this.#count(sender, 1)
      begin()
      return { leave: once(() => this.#release(sender)) }
    }
    let isWorking = false
    const ticket: Ticket = {
      sender,
      begin: () => {
        isWorking = true
        begin()
      },
      refuse,
      timer: setTimeout(() => this.#refuse(ticket), this.#limits.webWaitMs),
      leave: once(() => (isWorking ? this.#release(sender) : this.#remove(ticket))),
    }
    const line = this.#lines.get(sender)
    if (line === undefined) this.#lines.set(sender, [ticket])
    else line.push(ticket)
    this.#waiting += 1
    if (this.#waiting > this.#limits.webWaitingMax) this.#refuse(this.#lastOfLongest())
    return ticket
  }

  #hasRoomFor(sender: string): boolean {
    const { webRequestsMax, webRequestsPerSenderMax } = this.#limits
    const own = this.#workingOf.get(sender) ?? 0
    return this.#working < webRequestsMax && own < webRequestsPerSenderMax
  }

  #count(sender: string, more: 1 | -1): void {
    this.#working += more
    const own = (this.#workingOf.get(sender) ?? 0) + more
    if (own > 0) this.#workingOf.set(sender, own)
    else this.#workingOf.delete(sender)
  }

  #release(sender: string): void {
    this.#count(sender, -1)
    const ticket = this.#next()
    if (ticket === undefined) return
    const line = this.#remove(ticket)
    // Its sender's next request waits until everybody else has had one.
    if (line !== null) {
      this.#lines.delete(ticket.sender)
      this.#lines.set(ticket.sender, line)
    }
    this.#count(ticket.sender, 1)
    ticket.begin()
  }

  #next(): Ticket | undefined {
    for (const [sender, [first]] of this.#lines) if (this.#hasRoomFor(sender)) return first
    return undefined
  }

  #refuse(ticket: Ticket | undefined): void {
    if (ticket === undefined) return
    this.#remove(ticket)
    ticket.refuse()
  }

  /** Removes a ticket; returns the rest of its sender's line, or null. */
  #remove(ticket: Ticket): Ticket[] | null {
    clearTimeout(ticket.timer)
    const line = this.#lines.get(ticket.sender)
    const index = line?.indexOf(ticket) ?? -1
    if (line === undefined || index === -1) return line ?? null
    line.splice(index, 1)
    this.#waiting -= 1
    if (line.length > 0) return line
    this.#lines.delete(ticket.sender)
    return null
  }

  #lastOfLongest(): Ticket | undefined {
    let longest: Ticket[] = []
    for (const line of this.#lines.values()) if (line.length >= longest.length) longest = line
    return longest.at(-1)
  }
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}
