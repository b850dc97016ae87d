import { type JsonObject } from '@afterimage/protocol/json'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { Row } from '../../../storage/events/tables.ts'
import { asList, memberOf } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import type { ItemContext } from '../item.ts'
import { linkedReplayId } from '../../steps/normalize/links.ts'
import { isRecord } from '../../steps/normalize/text.ts'
import { nameAndMajor } from '../../steps/normalize/user-agent.ts'
import { userKey } from '../../steps/normalize/user.ts'
import type { Attributes } from '../span/attributes.ts'
import { spanRow, type SpanFacts, type SpanSender } from '../span/row.ts'
import { selfTimes } from '../span/self-time.ts'
import { sdkLabel } from '../span/sender.ts'
import { serviceOf } from '../span/service.ts'
import { readPlainSpan } from '../span/standalone.ts'

export interface TransactionSpans {
  /** The transaction itself as a span: the segment. */
  readonly root: SpanFacts
  readonly rows: readonly Row[]
  /** One for each span that could not be read. */
  readonly refusals: readonly Refusal[]
}

/** Reads the root span out of the trace context, and the spans within. */
export function readTransactionSpans(
  raw: JsonObject,
  event: NormalizedEvent,
  context: ItemContext,
): TransactionSpans | Refusal {
  const root = readRoot(raw, event)
  if (isRefusal(root)) return root
  const { children, refusals } = readChildren(raw, root)
  const sender = transactionSender(event, root.attributes, context)
  const shiftMs = event.timestamp - event.client_timestamp
  const all = [root, ...children]
  const busy = selfTimes(all)
  const rows = all.map((span) => {
    const selfTimeMs = busy.get(span.spanId) ?? null
    return spanRow(span, sender, { shiftMs, selfTimeMs }, context)
  })
  return { root, rows, refusals }
}

function readRoot(raw: JsonObject, event: NormalizedEvent): SpanFacts | Refusal {
  const trace = memberOf(raw, 'contexts', 'trace')
  const span = readPlainSpan(
    {
      ...(isRecord(trace) ? trace : {}),
      description: event.transaction ?? null,
      start_timestamp: raw['start_timestamp'],
      timestamp: raw['timestamp'],
    },
    { traceId: null, segmentId: null },
  )
  if (isRefusal(span)) return span
  const name = event.transaction ?? '<unlabeled transaction>'
  const source = memberOf(raw, 'transaction_info', 'source')
  return {
    ...span,
    name,
    sentName: name,
    isSegment: true,
    segmentId: span.spanId,
    segmentName: name,
    segmentSource: typeof source === 'string' ? source.slice(0, 20) : span.segmentSource,
  }
}

function readChildren(
  raw: JsonObject,
  root: SpanFacts,
): { children: SpanFacts[]; refusals: Refusal[] } {
  const children: SpanFacts[] = []
  const refusals: Refusal[] = []
  const seen = new Set([root.spanId])
  const list = asList(raw['spans'])
  for (const entry of list.slice(0, itemLimits.spansMax)) {
    const span = isRecord(entry)
      ? readPlainSpan(entry, { traceId: root.traceId, segmentId: root.spanId })
      : refuse('invalid_payload', 'A span must be a JSON object.')
    if (isRefusal(span)) refusals.push(span)
    else if (!seen.has(span.spanId)) {
      seen.add(span.spanId)
      children.push(asChild(span, root))
    }
  }
  const surplus = refuse('too_large', `A transaction may hold ${itemLimits.spansMax} spans.`)
  for (let index = itemLimits.spansMax; index < list.length; index += 1) refusals.push(surplus)
  return { children, refusals }
}

function asChild(span: SpanFacts, root: SpanFacts): SpanFacts {
  return {
    ...span,
    isSegment: false,
    parentSpanId: span.parentSpanId ?? root.spanId,
    segmentId: root.spanId,
    segmentName: root.segmentName,
    segmentSource: root.segmentSource,
  }
}

/** The facts that all spans of a transaction share. */
export function transactionSender(
  event: NormalizedEvent,
  rootAttributes: Attributes,
  context: ItemContext,
): SpanSender {
  const { browser } = event.contexts
  return {
    service: serviceOf(event.sdk?.name ?? null, rootAttributes, event.platform === 'javascript'),
    platform: event.platform,
    release: event.release ?? null,
    environment: event.environment ?? null,
    userKey: userKey(event.user),
    replayId: linkedReplayId(event, context.header),
    eventId: event.event_id,
    sdk: sdkLabel(event.sdk?.name ?? null, event.sdk?.version ?? null),
    browser: nameAndMajor(browser?.['name'], browser?.['version']),
  }
}
