import { windowCharactersMax, windowMs } from './limits.ts'

/**
 * Creates the limit of all pictures together. It returns whether one of so many characters may be
 * recorded, and counts it.
 */
export function createSpending(): (characters: number, nowMs: number) => boolean {
  let spent = 0
  let since = -Infinity
  return (characters, nowMs) => {
    // A clock that was set back begins a window too.
    if (Math.abs(nowMs - since) >= windowMs) {
      since = nowMs
      spent = 0
    }
    if (spent + characters > windowCharactersMax) return false
    spent += characters
    return true
  }
}
