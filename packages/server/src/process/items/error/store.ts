import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { ItemContext } from '../item.ts'
import { linkedReplayId, linkedTrace } from '../../steps/normalize/links.ts'
import { cut } from '../../steps/normalize/text.ts'
import { userKey, userLabel } from '../../steps/normalize/user.ts'
import type { Effect, IssueEffect, ProcessedItem } from '../../../storage/events/port.ts'
import type { Columns } from '../../../storage/events/tables.ts'
import type { EventDescription } from './describe.ts'
import type { Grouping } from './grouping/index.ts'
import { contextLabel, isHandled, tagsOf } from './tags.ts'

/** Text that a free-text search reads. */
const searchTextMax = 4096

/** Builds the row of an error, and the effects on its issue and release. */
export function storeError(
  itemType: string,
  event: NormalizedEvent,
  description: EventDescription,
  grouping: Grouping,
  context: ItemContext,
): ProcessedItem {
  const tags = tagsOf(event)
  return {
    type: itemType,
    quantity: 1,
    rows: [
      {
        table: 'errors',
        timestamp: event.timestamp,
        tags,
        payload: JSON.stringify(event),
        columns: columnsOf(event, description, grouping, context),
      },
    ],
    blobs: [],
    effects: effectsOf(event, description, grouping),
    refusal: null,
  }
}

function columnsOf(
  event: NormalizedEvent,
  description: EventDescription,
  grouping: Grouping,
  context: ItemContext,
): Columns<'errors'> {
  const { traceId, spanId } = linkedTrace(event, context.header)
  const handled = isHandled(event)
  return {
    eventId: event.event_id,
    type: event.type,
    groupingHash: grouping.hashes[0],
    level: event.level,
    title: description.title,
    culprit: description.culprit,
    message: searchText(event, description),
    platform: event.platform,
    release: event.release ?? null,
    environment: event.environment ?? null,
    dist: event.dist ?? null,
    transaction: event.transaction ?? null,
    url: event.request?.url ?? null,
    handled: handled === null ? null : Number(handled),
    userKey: userKey(event.user),
    userLabel: userLabel(event.user),
    traceId,
    spanId,
    replayId: linkedReplayId(event, context.header),
    sdk: event.sdk ? `${event.sdk.name}/${event.sdk.version}` : null,
    browser: contextLabel(event, 'browser'),
    os: contextLabel(event, 'os'),
    clientTimestamp: event.client_timestamp,
    username: event.user?.username ?? null,
  }
}

function searchText(event: NormalizedEvent, { title, culprit }: EventDescription): string {
  const texts = new Set([title, culprit, event.request?.url, event.logentry?.formatted])
  for (const { type, value } of event.exception ?? []) {
    const text = type === undefined ? value : `${type}: ${value ?? ''}`
    if (text !== title) texts.add(text)
  }
  return cut([...texts].filter(Boolean).join('\n'), searchTextMax)
}

function effectsOf(
  event: NormalizedEvent,
  { title, culprit, metadata }: EventDescription,
  grouping: Grouping,
): readonly Effect[] {
  const release = event.release ?? null
  const environment = event.environment ?? null
  const issue: IssueEffect = {
    type: 'issue',
    hashes: grouping.hashes,
    formerHashes: grouping.formerHashes,
    groupingVersion: grouping.version,
    eventId: event.event_id,
    timestamp: event.timestamp,
    title,
    culprit,
    kind: event.type,
    metadata,
    level: event.level,
    platform: event.platform,
    logger: event.logger ?? null,
    release,
    environment,
    handled: isHandled(event),
  }
  if (release === null && environment === null) return [issue]
  return [issue, { type: 'release', release, environment, timestamp: event.timestamp }]
}
