import { type JsonObject } from '@afterimage/protocol/json'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../storage/events/port.ts'
import { readCount } from './fields.ts'
import { isRecord } from './normalize/text.ts'

/** What the items that hold many things (logs, metrics, streamed spans) have in common. */
export interface Container {
  readonly entries: readonly unknown[]
  /** `ingest_settings`; only browsers send them. */
  readonly settings: JsonObject | null
  /** For entries beyond the limit. */
  readonly refusals: readonly Refusal[]
}

/**
 * Reads `{items: […]}`, and a bare list as the first SDKs with logs sent it. When the item's header
 * counts its entries, the count must be right: a container that lost some is refused as a whole.
 * @see protocol 2.3, 2.5
 */
export function readContainer(
  payload: unknown,
  itemCount: unknown,
  entriesMax: number,
): Container | Refusal {
  const items = isRecord(payload) ? payload['items'] : payload
  if (!Array.isArray(items)) return refuse('invalid_payload', 'A container needs a list of items.')
  const entries: readonly unknown[] = items
  if (itemCount !== undefined && readCount(itemCount) !== entries.length) {
    const said = JSON.stringify(itemCount)?.slice(0, 40)
    return refuse(
      'item_count_mismatch',
      `item_count is ${said}, but there are ${entries.length} items.`,
    )
  }
  const settings = isRecord(payload) ? payload['ingest_settings'] : null
  const surplus = refuse('too_large', `A container may hold ${entriesMax} items.`)
  return {
    entries: entries.slice(0, entriesMax),
    settings: isRecord(settings) ? settings : null,
    refusals: entries.slice(entriesMax).map(() => surplus),
  }
}

/** Counts refusals by reason, as a `ProcessedItem` takes them; nothing when there are none. */
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
