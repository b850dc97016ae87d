import type { Envelope } from './envelope.ts'
import { itemTypeFacts } from './item-type.ts'
import { refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'

/** An envelope is about one event at most. HTTP 413: which of two the SDK meant cannot be known. */
export function checkEventCount(envelope: Envelope): Refusal | null {
  const events = envelope.items.filter(({ header }) => header.type === 'event')
  if (events.length <= 1) return null
  return refuse('too_many_events', `envelope has ${events.length} items of type 'event'`)
}

/**
 * Places of the items beyond what an envelope may hold of their type. They are dropped one by one
 * with their outcome; the others are kept.
 */
export function surplusItems(envelope: Envelope): ReadonlySet<number> {
  const counts = new Map<string, number>()
  const surplus = new Set<number>()
  for (const [index, { header }] of envelope.items.entries()) {
    const count = (counts.get(header.type) ?? 0) + 1
    counts.set(header.type, count)
    if (count > itemTypeFacts(header.type).countMax) surplus.add(index)
  }
  return surplus
}
