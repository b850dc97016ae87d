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
    let held = 0
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > this.#bytesMax) return false
        this.#bytes += bytes
        held += bytes
        return true
      },
      [Symbol.dispose]: () => {
        this.#bytes -= held
        held = 0
      },
    }
  }
}

export interface BodyHold extends Disposable {
  /** False when there is no room for them. */
  take(bytes: number): boolean
}
