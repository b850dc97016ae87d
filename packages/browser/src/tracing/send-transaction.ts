import type { Client } from '@afterimage/sdk-core/client'
import type { SpanPayload } from '@afterimage/protocol/span'
import { leavingSpansCharactersMax, spansCharactersMax } from './limits.ts'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import type { Counts } from '@afterimage/sdk-core/envelope'
import type { TracingSettings } from '@afterimage/sdk-core/options'
import { permitted, spanPayload } from './span.ts'
import type { Segment } from './span.ts'

/** Sends a segment that has ended. What is not sent of it is counted. */
export function sendTransaction(client: Client, segment: Segment, options: TracingSettings): void {
  const { spans, measurements, request, isSampled } = segment
  const lose = (reason: string, counts: Counts): void => client.discard(reason, counts)
  const all = { transaction: 1, span: spans.length }
  if (!isSampled) return lose('sample_rate', all)
  const [root, ...others] = spans.map((span) => permitted(spanPayload(span), options))
  if (!root) return lose('before_send', all)
  const children = others.filter((it) => it !== null)
  const kept = fitting(children, root.status === 'cancelled')
  lose('before_send', { span: others.length - children.length })
  lose('buffer_overflow', { span: children.length - kept.length })
  const { description: transaction = '', start_timestamp, timestamp, ...context } = root
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
