/** Processes feedback that people write about the application (item type `feedback`). */
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { ItemContext } from '../item.ts'
import { refusedItem } from '../item.ts'
import { itemRefusal } from '../container.ts'
import { normalizeEvent } from '../../steps/normalize/index.ts'
import { scrubEvent } from '../../steps/scrub/index.ts'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { storeFeedback } from './store.ts'
import { validateFeedback } from './validate.ts'

export function processFeedback(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const raw = validateFeedback(item.payload)
  if (isRefusal(raw)) return refusedItem(item.header.type, itemRefusal(raw))
  const event = normalizeEvent(raw, context, 'feedback')
  if (isRefusal(event)) return refusedItem(item.header.type, itemRefusal(event))
  scrubEvent(event, context.scrubbing)
  return storeFeedback(item.header.type, event, context)
}
