import { readContainer } from '@afterimage/protocol/container'
import { decodeJson } from '@afterimage/protocol/json'
import { containerItemsMax } from '@afterimage/protocol/limits'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isRefusal, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../storage/events/port.ts'
import type { Row } from '../../storage/events/tables.ts'
import { itemRefusal, refusedParts, surplusRefusals } from './container.ts'
import { asList, memberOf } from './fields.ts'
import { refusedItem, type ItemContext } from './item.ts'
import type { SenderHints } from './span/sender.ts'

/** Makes the row of one entry; its place in the container is part of its key. */
export type EntryRow = (
  raw: unknown,
  index: number,
  context: ItemContext,
  hints: SenderHints,
) => Row | Refusal

/** Processes a container whose every entry is one row. One bad entry does not cost the others. */
export function processEntries(
  type: string,
  item: EnvelopeItem,
  context: ItemContext,
  entryRow: EntryRow,
): ProcessedItem {
  const json = decodeJson(item.payload)
  if (isRefusal(json)) return refusedItem(type, itemRefusal(json))
  const { value } = json
  const container = readContainer(value, item.header)
  if (isRefusal(container)) {
    const quantity = asList(memberOf(value, 'items')).length
    return refusedItem(type, itemRefusal(container), Math.max(1, quantity))
  }
  const { settings, items, surplus } = container
  const hints: SenderHints = {
    isBrowser: settings !== null,
    inferIp: memberOf(settings, 'infer_ip'),
    inferUserAgent: memberOf(settings, 'infer_user_agent'),
  }
  const rows: Row[] = []
  const refusals = surplusRefusals(surplus, containerItemsMax)
  for (const [index, entry] of items.entries()) {
    const row = entryRow(entry, index, context, hints)
    if (isRefusal(row)) refusals.push(row)
    else rows.push(row)
  }
  const first = refusals[0]
  if (rows.length === 0 && first !== undefined) {
    return refusedItem(type, itemRefusal(first), refusals.length)
  }
  return {
    type,
    quantity: rows.length,
    rows,
    blobs: [],
    effects: [],
    refusal: null,
    ...refusedParts(refusals),
  }
}
