import type { Client } from '@afterimage/sdk-core/client'
import type { SpanPayload } from '@afterimage/protocol/span'
import { leavingSpansCharactersMax, spansCharactersMax } from './limits.ts'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { spanPayload } from './span.ts'
import type { Segment } from './span.ts'

/** Sends a segment that has ended; the loss of an unsampled one is counted. */
export function sendTransaction(client: Client, segment: Segment): void {
  const { spans, measurements, request, isSampled } = segment
  const [root, ...children] = spans.map(spanPayload)
  if (!isSampled) {
    client.discard('sample_rate', { transaction: 1, span: spans.length })
    return
  }
  const kept = fitting(children, root!.status === 'cancelled')
  const surplus = children.length - kept.length
  if (surplus) client.discard('buffer_overflow', { span: surplus })
  const { description: transaction = '', start_timestamp, timestamp, ...context } = root!
  const event = {
    type: 'transaction',
    transaction,
    transaction_info: { source: spans[0]!.source },
    start_timestamp,
    timestamp,
    contexts: { trace: context },
    spans: kept,
    measurements,
    request,
  } as SdkEvent
  client.capture(event, { counts: { transaction: 1, span: kept.length + 1 } })
}

/** Returns as many spans as can be sent, or as outlive a page that is being left. */
function fitting(spans: SpanPayload[], isLeaving: boolean): SpanPayload[] {
  const charactersMax = isLeaving ? leavingSpansCharactersMax : spansCharactersMax
  let kept = spans
  // Spans measured by the browser come last, and are dropped first.
  while (JSON.stringify(kept).length > charactersMax) kept = kept.slice(0, kept.length >> 1)
  return kept
}
