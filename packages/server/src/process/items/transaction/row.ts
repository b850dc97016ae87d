import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { Row } from '../../../storage/events/tables.ts'
import type { JsonObject } from '@afterimage/protocol/json'
import type { ItemContext } from '../item.ts'
import { boundedBag } from '../../steps/normalize/bag.ts'
import { bagLimits } from '../../steps/normalize/limits.ts'
import { nameAndMajor } from '../../steps/normalize/user-agent.ts'
import { userLabel } from '../../steps/normalize/user.ts'
import { transactionSender, type TransactionSpans } from './spans.ts'

/** The transaction's own row. Its payload is the normalised event without its spans. */
export function transactionRow(
  raw: JsonObject,
  event: NormalizedEvent,
  { root }: TransactionSpans,
  context: ItemContext,
): Row {
  const { service: _, eventId: __, ...sender } = transactionSender(event, root.attributes, context)
  const { os } = event.contexts
  return {
    table: 'transactions',
    timestamp: event.timestamp,
    columns: {
      ...sender,
      eventId: event.event_id,
      name: root.name,
      op: root.op,
      source: root.segmentSource,
      status: root.status,
      durationMs: root.endMs - root.startMs,
      traceId: root.traceId,
      spanId: root.spanId,
      userLabel: userLabel(event.user),
      url: event.request?.url ?? null,
      os: nameAndMajor(os?.['name'], os?.['version']),
      clientTimestamp: event.client_timestamp,
    },
    tags: event.tags,
    payload: JSON.stringify({
      ...event,
      start_timestamp: root.startMs + event.timestamp - event.client_timestamp,
      transaction_info: boundedBag(raw['transaction_info'], bagLimits.small) ?? undefined,
      measurements: boundedBag(raw['measurements'], bagLimits.large) ?? undefined,
    }),
  }
}
