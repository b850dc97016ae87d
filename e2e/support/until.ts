import { setTimeout as delay } from 'node:timers/promises'

const askAgainMs = 50
/** A long wait asks less often: each question takes time from what it waits for. */
const askAgainMsMax = 250

/**
 * Waits until a condition holds, and returns what it gave. Falsy values and rejections mean "not
 * yet"; after `timeoutMs` it throws with the name and the last reason.
 */
export async function until<T>(
  name: string,
  condition: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<NonNullable<T>> {
  const startedAt = performance.now()
  let last: unknown = 'it was never true'
  for (;;) {
    try {
      const value = await condition()
      if (value) return value
    } catch (error) {
      last = error
    }
    const waitedMs = performance.now() - startedAt
    if (waitedMs > timeoutMs) {
      throw new Error(`Waited ${timeoutMs} ms until ${name}.`, { cause: last })
    }
    await delay(Math.min(Math.max(askAgainMs, waitedMs / 10), askAgainMsMax))
  }
}
