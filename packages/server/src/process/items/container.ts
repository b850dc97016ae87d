import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../storage/events/port.ts'

/** A refusal for each item beyond what a container may hold. */
export function surplusRefusals(count: number, itemsMax: number): Refusal[] {
  const surplus = refuse('too_large', `A container may hold at most ${itemsMax} items.`)
  return Array.from({ length: count }, () => surplus)
}

/** Counts refusals by reason, in the form a `ProcessedItem` takes. */
export function refusedParts(
  refusals: readonly Refusal[],
): Pick<ProcessedItem, 'refusedParts'> | Record<string, never> {
  if (refusals.length === 0) return {}
  const byReason = Map.groupBy(refusals, ({ reason }) => reason)
  return {
    refusedParts: [...byReason.values()].map((group) => ({
      refusal: itemRefusal(group[0]!),
      quantity: group.length,
    })),
  }
}

/** A refusal as an item's outcome. NOTE: nothing here refuses as a duplicate; the store alone knows. */
export function itemRefusal({
  outcome,
  reason,
  detail,
}: Refusal): NonNullable<ProcessedItem['refusal']> {
  return { outcome: outcome === 'duplicate' ? 'invalid' : outcome, reason, detail }
}
