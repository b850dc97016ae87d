import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until a condition holds, asking again every 50 ms, and returns what it gave. Falsy values
 * and rejections mean "not yet"; after `timeoutMs` it throws with the name and the last reason.
 */
export async function until<T>(
  name: string,
  condition: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + timeoutMs
  let last: unknown = 'it was never true'
  for (;;) {
    try {
      const value = await condition()
      if (value) return value
    } catch (error) {
      last = error
    }
    if (performance.now() > giveUpAt) {
      throw new Error(`Waited ${timeoutMs} ms until ${name}.`, { cause: last })
    }
    await delay(50)
  }
}
