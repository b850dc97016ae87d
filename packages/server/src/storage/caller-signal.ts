import { AsyncLocalStorage } from 'node:async_hooks'

const signals = new AsyncLocalStorage<AbortSignal>()

/**
 * Runs `body` for a caller who may stop waiting: its reads of a store end when the signal aborts.
 * The signal travels beside the calls, so that no query has to carry it.
 */
export function cancelledBy<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
  return signals.run(signal, body)
}

/** Returns the signal of the current caller; null when the caller cannot stop waiting. */
export function currentSignal(): AbortSignal | null {
  return signals.getStore() ?? null
}
