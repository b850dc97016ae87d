import { decodeJsonObject, type JsonObject } from '@afterimage/protocol/json'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { itemRefusal, refusedParts } from '../container.ts'
import { memberOf } from '../fields.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { normalizeEvent } from '../../steps/normalize/index.ts'
import { releaseEffects } from '../release-effect.ts'
import { scrubEvent } from '../../steps/scrub/index.ts'
import { vitalRows, vitalsOfMeasurements } from '../span/vitals.ts'
import { transactionRow } from './row.ts'
import { readTransactionSpans, transactionSender, type TransactionSpans } from './spans.ts'

/**
 * A transaction (SDKs 7 to 10, static 11, other languages): an event with a root span and the spans
 * within it. It becomes one row among transactions, one among spans for each span, the root as the
 * segment, and the web vitals it measured.
 */
export function processTransaction(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const raw = decodeJsonObject(item.payload)
  if (isRefusal(raw)) return refusedItem('transaction', itemRefusal(raw))
  const result = readTransaction(raw, context)
  if (isRefusal(result)) return refusedItem('transaction', itemRefusal(result))
  return { type: 'transaction', quantity: 1, blobs: [], refusal: null, ...result }
}

function readTransaction(
  raw: JsonObject,
  context: ItemContext,
): Pick<ProcessedItem, 'rows' | 'effects'> | Refusal {
  const event = normalizeEvent(raw, context, 'transaction')
  if (isRefusal(event)) return event
  scrubEvent(event, context.scrubbing)
  if (memberOf(event.contexts, 'trace', 'trace_id') === null) {
    return refuse(
      'missing_field',
      'A transaction needs contexts.trace with a trace_id and a span_id.',
    )
  }
  const spans = readTransactionSpans(raw, event, context)
  if (isRefusal(spans)) return spans
  return {
    rows: [
      transactionRow(raw, event, spans, context),
      ...spans.rows,
      ...vitalsOf(raw, event, spans, context),
    ],
    effects: releaseEffects(event),
    ...refusedParts(spans.refusals),
  }
}

function vitalsOf(
  raw: JsonObject,
  event: NormalizedEvent,
  { root }: TransactionSpans,
  context: ItemContext,
): ProcessedItem['rows'] {
  const { release, environment, browser } = transactionSender(event, root.attributes, context)
  return vitalRows(vitalsOfMeasurements(raw['measurements'], root.attributes), {
    timestamp: event.timestamp,
    traceId: root.traceId,
    segmentId: root.spanId,
    segmentName: root.segmentName,
    release,
    environment,
    browser,
  })
}
