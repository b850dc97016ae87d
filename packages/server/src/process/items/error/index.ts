/** Error and message events (item type `event`). */
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { Refusal } from '@afterimage/protocol/outcome'
import type { ItemContext } from '../item.ts'
import { refusedItem } from '../item.ts'
import { itemRefusal } from '../container.ts'
import { normalizeEvent } from '../../steps/normalize/index.ts'
import { scrubEvent } from '../../steps/scrub/index.ts'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { describeEvent } from './describe.ts'
import { groupEvent } from './grouping/index.ts'
import { storeError } from './store.ts'
import { validateError } from './validate.ts'

export function processError(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const event = context.event ?? readError(item, context)
  if (isRefusal(event)) return refusedItem(item.header.type, itemRefusal(event))
  scrubEvent(event, context.scrubbing)
  return storeError(item.header.type, event, describeEvent(event), groupEvent(event), context)
}

/** Reads the event of an item: checked and normalized, neither scrubbed nor grouped yet. */
export function readError(item: EnvelopeItem, context: ItemContext): NormalizedEvent | Refusal {
  const raw = validateError(item.payload)
  return isRefusal(raw) ? raw : normalizeEvent(raw, context)
}
