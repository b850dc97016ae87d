import type { Envelope } from './envelope.ts'
import { itemTypeFacts } from './item-type.ts'
import { refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'

/**
 * Whether an envelope holds more items of a type than one may, a second event above all. HTTP 413,
 * as a whole: which of two events the SDK meant cannot be known.
 */
export function checkEnvelopeCounts(envelope: Envelope): Refusal | null {
  const counts = new Map<string, number>()
  for (const { header } of envelope.items) {
    const count = (counts.get(header.type) ?? 0) + 1
    const { countMax } = itemTypeFacts(header.type)
    if (count > countMax) {
      const text = `envelope has more than ${countMax} items of type '${header.type}'`
      return refuse(header.type === 'event' ? 'too_many_events' : 'too_large', text)
    }
    counts.set(header.type, count)
  }
  return null
}
