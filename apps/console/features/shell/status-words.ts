import type { ApiServerStatus } from '@afterimage/protocol/api/stats'
import { byteWords, compactNumber, exactNumber } from '../../ui/time-words.ts'

/** A queue that is stalled this long causes a warning. */
const QUEUE_AGE_WARNING_MS = 30_000

/** Returns the operator's line: the constant facts, and warnings about problems. */
export function statusWords(status: ApiServerStatus | null): {
  readonly facts: readonly string[]
  readonly warnings: readonly string[]
} {
  if (status === null) return { facts: [], warnings: ['The server’s state could not be read'] }
  const perMinute = Math.round(status.eventsPerMinute * 10) / 10
  const facts = [
    `${compactNumber(perMinute)} ${perMinute === 1 ? 'event' : 'events'} per minute`,
    `${byteWords(status.disk.usedBytes)} stored, ${byteWords(status.disk.freeBytes)} free`,
  ]
  const warnings = [...status.warnings]
  const age = status.queue.oldestAgeMs
  if (status.queue.waiting > 0 && age !== null && age >= 1000) {
    const words = `${exactNumber(status.queue.waiting)} waiting, the oldest for ${Math.round(age / 1000)} s`
    if (age >= QUEUE_AGE_WARNING_MS) warnings.push(words)
    else facts.push(words)
  }
  if (status.queue.setAside > 0) {
    const one = status.queue.setAside === 1
    warnings.push(
      `${exactNumber(status.queue.setAside)} ${one ? 'envelope' : 'envelopes'} set aside`,
    )
  }
  return { facts, warnings }
}
