import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { DamagedStore } from '../../storage/sqlite-damage.ts'

export interface RetrySettings {
  readonly retryMsMin: number
  readonly retryMsMax: number
  /** Told of each failure, before the wait. */
  readonly onFailure: (error: AppError, nextTryMs: number) => void
}

/** The operation was given up because the worker stops. */
export const stopped = Symbol('stopped')

/**
 * Runs the operation until the surroundings let it succeed, with growing waits. Errors that are not
 * the surroundings' fault are thrown, and so is damage, which no waiting repairs.
 */
export async function untilItSucceeds<T>(
  operation: () => Promise<T>,
  settings: RetrySettings,
  signal: AbortSignal,
): Promise<T | typeof stopped> {
  for (let delayMs = settings.retryMsMin; ; delayMs = Math.min(delayMs * 2, settings.retryMsMax)) {
    try {
      return await operation()
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof DamagedStore) throw error
      settings.onFailure(error, delayMs)
    }
    if ((await pause(delayMs, signal)) === stopped) return stopped
  }
}

/** Waits, unless the worker stops meanwhile. */
export async function pause(
  delayMs: number,
  signal: AbortSignal,
): Promise<undefined | typeof stopped> {
  try {
    await wait(delayMs, undefined, { signal })
    return undefined
  } catch {
    return stopped
  }
}
