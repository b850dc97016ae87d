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

interface ItemTypeFacts {
  /** `handled` items are processed; `dropped` ones are known, counted as unsupported and dropped. */
  readonly support: 'handled' | 'dropped'
  readonly category: DataCategory
  readonly bytesMax: number
  /** How many of them one envelope may hold. */
  readonly countMax: number
}

function handled(category: DataCategory, bytesMax: number, countMax = 1) {
  return { support: 'handled', category, bytesMax, countMax } as const
}

function dropped(category: DataCategory, bytesMax: number = smallItemBytesMax) {
  return { support: 'dropped', category, bytesMax, countMax: droppedItemsMax } as const
}

/**
 * Every item type we know. The list is closed; a type that is not in it is newer than we are, is
 * framed like any other and counted as unsupported. Counts and sizes are Relay's, except that the
 * types which share one budget there (event and transaction, say) have one each here.
 */
export const itemTypes = {
  event: handled('error', eventBytesMax),
  transaction: handled('transaction', eventBytesMax),
  /** One bare span (SDK 8 to 10), or a container of streamed ones: told apart by content type. */
  span: handled('span', containerBytesMax, standaloneSpansMax),
  session: handled('session', sessionBytesMax, sessionsMax),
  sessions: handled('session', sessionBytesMax, sessionsMax),
  attachment: handled('attachment', attachmentBytesMax, attachmentsMax),
  client_report: handled('internal', clientReportBytesMax, clientReportsMax),
  replay_event: handled('replay', eventBytesMax),
  replay_recording: handled('replay', recordingBytesMax),
  check_in: handled('monitor', checkInBytesMax),
  feedback: handled('feedback', eventBytesMax),
  user_report: handled('default', smallItemBytesMax, attachmentsMax),
  log: handled('log_item', containerBytesMax),
  trace_metric: handled('trace_metric', containerBytesMax),
  /** What 10.x called `trace_metric` at first. */
  metric: handled('trace_metric', containerBytesMax),
  raw_security: handled('security', securityReportBytesMax),
  profile: dropped('profile', profileBytesMax),
  profile_chunk: dropped('profile', profileBytesMax),
  replay_video: dropped('replay', recordingBytesMax),
  security: dropped('security'),
  nel: dropped('default'),
  form_data: dropped('error'),
  unreal_report: dropped('error'),
  otel_log: dropped('log_item'),
  otel_span: dropped('span'),
  statsd: dropped('metric_bucket'),
  metric_buckets: dropped('metric_bucket'),
  metric_meta: dropped('metric_bucket'),
  integration: dropped('default'),
} as const satisfies Record<string, ItemTypeFacts>

export type ItemType = keyof typeof itemTypes

export type HandledItemType = {
  [T in ItemType]: (typeof itemTypes)[T]['support'] extends 'handled' ? T : never
}[ItemType]

const unknownType: ItemTypeFacts = dropped('default')

export function isItemType(type: string): type is ItemType {
  return Object.hasOwn(itemTypes, type)
}

/** What holds for a type of item; unknown types get the limits of one that is dropped. */
export function itemTypeFacts(type: string): ItemTypeFacts {
  return isItemType(type) ? itemTypes[type] : unknownType
}

export function isHandledItemType(type: string): boolean {
  return isItemType(type) && itemTypes[type].support === 'handled'
}
