import type { Row } from '../../../storage/events/tables.ts'
import { itemLimits } from '../item-limits.ts'
import type { ItemContext } from '../item.ts'
import type { Attributes } from './attributes.ts'
import { storedAttributes, storedText } from './privacy.ts'

/** One span in the form all its formats have in common; times are the client's, in ms. */
export interface SpanFacts {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly segmentId: string | null
  readonly isSegment: boolean
  /** The name that people read. */
  readonly name: string
  /** As sent; kept among the attributes when it is another. */
  readonly sentName: string
  readonly op: string
  readonly origin: string | null
  readonly status: string
  readonly startMs: number
  readonly endMs: number
  readonly segmentName: string | null
  readonly segmentSource: string | null
  readonly attributes: Attributes
  readonly links: readonly Attributes[]
}

/** The columns of a span's row about its sender: mostly the same for all spans of an item. */
export interface SpanSender {
  readonly service: string
  readonly platform: string
  readonly release: string | null
  readonly environment: string | null
  readonly userKey: string | null
  readonly replayId: string | null
  /** The id of the transaction event; null for streamed spans. */
  readonly eventId: string | null
  readonly sdk: string | null
  readonly browser: string | null
}

/** The row of a span: scrubbed, and its times corrected. */
export function spanRow(
  span: SpanFacts,
  sender: SpanSender,
  when: { readonly shiftMs: number; readonly selfTimeMs: number | null },
  context: ItemContext,
): Row {
  const { attributes, links, sentName, startMs, endMs, isSegment, op, origin, ...columns } = span
  return {
    table: 'spans',
    timestamp: startMs + when.shiftMs,
    columns: {
      ...columns,
      ...sender,
      name: storedText(span.name, context),
      segmentName: span.segmentName === null ? null : storedText(span.segmentName, context),
      isSegment: isSegment ? 1 : 0,
      op: op.slice(0, itemLimits.labelCharsMax),
      origin: origin?.slice(0, itemLimits.labelCharsMax) ?? null,
      durationMs: endMs - startMs,
      selfTimeMs: when.selfTimeMs,
      clientTimestamp: startMs,
    },
    payload: JSON.stringify(
      storedAttributes(
        {
          ...attributes,
          ...(sentName === span.name || sentName === '' ? {} : { 'sentry.sent_name': sentName }),
          ...(links.length === 0 ? {} : { 'sentry.links': links }),
        },
        context,
      ),
    ),
  }
}
