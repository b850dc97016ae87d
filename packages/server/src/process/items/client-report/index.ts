import { decodeJsonObject, type JsonObject } from '@afterimage/protocol/json'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { itemRefusal } from '../container.ts'
import { asList, readCount, readLabel } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { isRecord } from '../../steps/normalize/text.ts'

type Discard = NonNullable<ProcessedItem['discards']>[number]

/** The lists of a client report, and the reason for those whose entries may give none. */
const lists = [
  ['discarded_events', 'unknown'],
  ['rate_limited_events', 'ratelimit_backoff'],
  ['filtered_events', 'filtered'],
  ['filtered_sampling_events', 'sample_rate'],
] as const

/** Discards that an SDK reports, counted by category and reason. */
export function processClientReport(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const raw = decodeJsonObject(item.payload)
  if (isRefusal(raw)) return refusedItem('client_report', itemRefusal(raw))
  return {
    type: 'client_report',
    quantity: 1,
    rows: [],
    blobs: [],
    effects: [],
    refusal: null,
    identity: `${context.envelopeHash}:${context.index}`,
    discards: readDiscards(raw),
  }
}

/** Every list's entries, those of one category and reason as one. */
function readDiscards(raw: JsonObject): Discard[] {
  const totals = new Map<string, Discard>()
  for (const [list, defaultReason] of lists) {
    for (const entry of asList(raw[list]).slice(0, itemLimits.discardsMax)) {
      const discard = readDiscard(entry, defaultReason)
      if (discard === null) continue
      const key = `${discard.category}\n${discard.reason}`
      const quantity = discard.quantity + (totals.get(key)?.quantity ?? 0)
      totals.set(key, { ...discard, quantity: Math.min(quantity, Number.MAX_SAFE_INTEGER) })
    }
  }
  return [...totals.values()]
}

function readDiscard(entry: unknown, defaultReason: string): Discard | null {
  if (!isRecord(entry)) return null
  const quantity = readCount(entry['quantity'])
  const category = readName(entry['category'])
  if (quantity === null || quantity === 0 || category === null) return null
  return { category, reason: readName(entry['reason']) ?? defaultReason, quantity }
}

/** NOTE: an SDK's text becomes the name of a rollup row here, so it may not be anything. */
function readName(raw: unknown): string | null {
  const name = readLabel(raw, 50)
  return name !== null && /^[a-z0-9_.-]+$/i.test(name) ? name.toLowerCase() : null
}
