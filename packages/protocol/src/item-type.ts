import type { DataCategory } from './data-category.ts'
import {
  attachmentBytesMax,
  attachmentsMax,
  checkInBytesMax,
  clientReportBytesMax,
  clientReportsMax,
  droppedItemsMax,
  containerBytesMax,
  eventBytesMax,
  profileBytesMax,
  recordingBytesMax,
  securityReportBytesMax,
  sessionBytesMax,
  sessionsMax,
  smallItemBytesMax,
  standaloneSpansMax,
} from './limits.ts'

/**
 * The content of an item. `event`: one thing with an event id. `single`: one thing without such an
 * id. `entries`: several things, each accepted or refused for itself.
 */
type ItemContent = 'event' | 'entries' | 'single'

interface ItemTypeFacts {
  /** `handled` items are processed; `dropped` ones are known, counted as unsupported and dropped. */
  readonly support: 'handled' | 'dropped'
  readonly category: DataCategory
  readonly content: ItemContent
  readonly bytesMax: number
  /** Number of such items that one envelope may hold. */
  readonly countMax: number
}

function handled(category: DataCategory, content: ItemContent, bytesMax: number, countMax = 1) {
  return { support: 'handled', category, content, bytesMax, countMax } as const
}

function dropped(
  category: DataCategory,
  content: ItemContent,
  bytesMax: number = smallItemBytesMax,
) {
  return { support: 'dropped', category, content, bytesMax, countMax: droppedItemsMax } as const
}

/**
 * Every item type we know. The list is closed; a type that is not in it is newer than we are, is
 * framed like any other and counted as unsupported. Counts and sizes are Relay's, except that the
 * types which share one budget there (event and transaction, say) have one each here.
 */
export const itemTypes = {
  event: handled('error', 'event', eventBytesMax),
  transaction: handled('transaction', 'event', eventBytesMax),
  /** One bare span (SDK 8 to 10), or a container of streamed ones: told apart by content type. */
  span: handled('span', 'entries', containerBytesMax, standaloneSpansMax),
  session: handled('session', 'single', sessionBytesMax, sessionsMax),
  sessions: handled('session', 'entries', sessionBytesMax, sessionsMax),
  attachment: handled('attachment', 'single', attachmentBytesMax, attachmentsMax),
  client_report: handled('internal', 'single', clientReportBytesMax, clientReportsMax),
  replay_event: handled('replay', 'event', eventBytesMax),
  replay_recording: handled('replay', 'single', recordingBytesMax),
  check_in: handled('monitor', 'single', checkInBytesMax),
  feedback: handled('feedback', 'event', eventBytesMax),
  user_report: handled('default', 'single', smallItemBytesMax, attachmentsMax),
  log: handled('log_item', 'entries', containerBytesMax),
  trace_metric: handled('trace_metric', 'entries', containerBytesMax),
  /** The first name of `trace_metric`, in 10.x. */
  metric: handled('trace_metric', 'entries', containerBytesMax),
  raw_security: handled('security', 'event', securityReportBytesMax),
  profile: dropped('profile', 'single', profileBytesMax),
  profile_chunk: dropped('profile', 'single', profileBytesMax),
  replay_video: dropped('replay', 'single', recordingBytesMax),
  security: dropped('security', 'event'),
  nel: dropped('default', 'single'),
  form_data: dropped('error', 'single'),
  unreal_report: dropped('error', 'single'),
  otel_log: dropped('log_item', 'single'),
  otel_span: dropped('span', 'single'),
  statsd: dropped('metric_bucket', 'entries'),
  metric_buckets: dropped('metric_bucket', 'entries'),
  metric_meta: dropped('metric_bucket', 'single'),
  integration: dropped('default', 'single'),
} as const satisfies Record<string, ItemTypeFacts>

export type ItemType = keyof typeof itemTypes

export type HandledItemType = {
  [T in ItemType]: (typeof itemTypes)[T]['support'] extends 'handled' ? T : never
}[ItemType]

const unknownType: ItemTypeFacts = dropped('default', 'single')

export function isItemType(type: string): type is ItemType {
  return Object.hasOwn(itemTypes, type)
}

/** Returns the facts of a type of item; unknown types get the limits of one that is dropped. */
export function itemTypeFacts(type: string): ItemTypeFacts {
  return isItemType(type) ? itemTypes[type] : unknownType
}

export function isHandledItemType(type: string): boolean {
  return isItemType(type) && itemTypes[type].support === 'handled'
}
