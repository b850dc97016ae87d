export interface BodyBudgetLimits {
  /** All bodies together, copies of them included. */
  readonly bodiesBytesMax: number
  /** Large bodies of one key at once. */
  readonly largeBodiesPerKeyMax: number
}

/** Bounds the memory of all bodies that are being read or published, whoever sends them. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits
  readonly #largeOfKey = new Map<string, number>()
  #bytes = 0

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes
  }

  /** One request's share; everything it took is given back when it is disposed. */
  hold(): BodyHold {
    return new BodyHold(this)
  }

  /** Returns false when there is no room for the bytes. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#limits.bodiesBytesMax) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }

  /** False when the key has as many large bodies already as it may. */
  takeLarge(key: string): boolean {
    const count = this.#largeOfKey.get(key) ?? 0
    if (count >= this.#limits.largeBodiesPerKeyMax) return false
    this.#largeOfKey.set(key, count + 1)
    return true
  }

  giveBackLarge(key: string): void {
    const count = (this.#largeOfKey.get(key) ?? 0) - 1
    if (count > 0) this.#largeOfKey.set(key, count)
    else this.#largeOfKey.delete(key)
  }
}

export class BodyHold implements Disposable {
  /** The public key that the request is authenticated with; null until it is known. */
  key: string | null = null
  readonly #budget: BodyBudget
  #bytes = 0
  #largeKey: string | null = null

  constructor(budget: BodyBudget) {
    this.#budget = budget
  }

  /** Returns false when there is no room for the bytes. */
  take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#budget.giveBack(bytes)
    this.#bytes -= bytes
  }

  /** Counts this body among the large ones of its key, once; false when there are too many. */
  becomeLarge(): boolean {
    if (this.#largeKey !== null) return true
    const key = this.key ?? ''
    if (!this.#budget.takeLarge(key)) return false
    this.#largeKey = key
    return true
  }

  [Symbol.dispose](): void {
    this.#budget.giveBack(this.#bytes)
    this.#bytes = 0
    if (this.#largeKey !== null) this.#budget.giveBackLarge(this.#largeKey)
    this.#largeKey = null
  }
}
