/**
 * Holds values up to a number of bytes, and forgets those not asked for longest. Two generations
 * instead of an order: an answer costs one look-up, and a value lives for one to two fillings.
 */
export class PageCache<K, V> {
  readonly #bytesMax: number
  #young = new Map<K, { readonly value: V; readonly bytes: number }>()
  #old = new Map<K, { readonly value: V; readonly bytes: number }>()
  #youngBytes = 0
  #oldBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old === undefined) return undefined
    this.#old.delete(key)
    this.#oldBytes -= old.bytes
    this.set(key, old.value, old.bytes)
    return old.value
  }

  /** Keeps a value. One larger than half of the cache is not kept. */
  set(key: K, value: V, bytes: number): void {
    const half = this.#bytesMax / 2
    if (bytes > half) return
    if (this.#youngBytes + bytes > half) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#youngBytes += bytes - (this.#young.get(key)?.bytes ?? 0)
    this.#young.set(key, { value, bytes })
  }
}
