import type { EventBreadcrumb } from '@afterimage/protocol/event'
import { boundedBag } from './bag.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { readLevel } from './names.ts'
import { isRecord, readAsText, readHexId, readText, readValues } from './text.ts'
import { readTime } from './time.ts'

/** The newest breadcrumbs, oldest first, their times moved by `shiftMs`. */
export function normalizeBreadcrumbs(raw: unknown, shiftMs: number): EventBreadcrumb[] {
  const crumbs: EventBreadcrumb[] = []
  for (const item of readValues(raw).slice(-eventLimits.breadcrumbs)) {
    if (isRecord(item)) crumbs.push(normalizeBreadcrumb(item, shiftMs))
  }
  return crumbs
}

function normalizeBreadcrumb(raw: Record<string, unknown>, shiftMs: number): EventBreadcrumb {
  const crumb: EventBreadcrumb = {
    type: readText(raw['type'], eventLimits.identifier) ?? 'default',
    level: readLevel(raw['level']) ?? 'info',
  }
  const timestamp = readTime(raw['timestamp'])
  if (timestamp !== null) crumb.timestamp = timestamp + shiftMs
  const category = readText(raw['category'], eventLimits.identifier)
  if (category !== null) crumb.category = category
  const message = readAsText(raw['message'], eventLimits.breadcrumbMessage)
  if (message !== null) crumb.message = message
  const data = boundedBag(raw['data'], bagLimits.medium)
  if (data !== null) crumb.data = data
  const eventId = readHexId(raw['event_id'], 32)
  if (eventId !== null) crumb.event_id = eventId
  return crumb
}
