/** Bounds the memory of all bodies that are being read or published, whoever sends them. */
export class BodyBudget {
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes
  }

  /** One request's share; everything it took is given back when it is disposed. */
  hold(): BodyHold {
    return new BodyHold(this)
  }

  /** False when there is no room for them. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}

export class BodyHold implements Disposable {
  readonly #budget: BodyBudget
  #bytes = 0

  constructor(budget: BodyBudget) {
    this.#budget = budget
  }

  /** False when there is no room for them. */
  take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false
    this.#bytes += bytes
    return true
  }

  [Symbol.dispose](): void {
    this.#budget.giveBack(this.#bytes)
    this.#bytes = 0
  }
}
