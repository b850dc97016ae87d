import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import type { Row } from '../../../storage/events/tables.ts'
import { processEntries } from '../container-item.ts'
import { memberOf, readCount, readLabel } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import type { ItemContext } from '../item.ts'
import { cut, isRecord, readHexId } from '../../steps/normalize/text.ts'
import { correctTime } from '../../steps/normalize/time.ts'
import { readTypedAttributes, textOf, type Attributes } from '../span/attributes.ts'
import { storedAttributes, storedText } from '../span/privacy.ts'
import { spanSender, type SenderHints } from '../span/sender.ts'

const severities: Readonly<Record<string, number>> = {
  trace: 1,
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
}

/** A container of structured logs, each with attributes of its own. */
export function processLogs(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  return processEntries('log', item, context, logRow)
}

function logRow(
  raw: unknown,
  index: number,
  context: ItemContext,
  hints: SenderHints,
): Row | Refusal {
  if (!isRecord(raw)) return refuse('invalid_payload', 'A log must be a JSON object.')
  const body = readBody(raw['body'])
  if (body === null) return refuse('missing_field', 'A log needs a body.')
  const attributes = readTypedAttributes(raw['attributes'])
  const sender = spanSender([attributes], context, hints)
  const level = readLevel(raw['level'], readCount(raw['severity_number']))
  const { timestamp } = correctTime(raw['timestamp'], context, [])
  return {
    table: 'logs',
    timestamp,
    columns: {
      key: `${context.envelopeHash}:${context.index}:${index}`,
      traceId: readHexId(raw['trace_id'], 32),
      spanId: readHexId(raw['span_id'] ?? attributes['sentry.trace.parent_span_id'], 16),
      level,
      severity: readCount(raw['severity_number']) ?? severities[level] ?? null,
      body: storedText(body, context),
      sequence: readCount(attributes['sentry.timestamp.sequence']),
      release: sender.release,
      environment: sender.environment,
      replayId: sender.replayId,
      userKey: sender.userKey,
      service: serviceName(attributes, sender.service),
    },
    payload: JSON.stringify(storedAttributes(attributes, context)),
  }
}

/** The first SDKs with logs sent the body as an attribute's value: `{value, type}`. */
function readBody(raw: unknown): string | null {
  const text = isRecord(raw) ? (memberOf(raw, 'value') ?? memberOf(raw, 'stringValue')) : raw
  return typeof text === 'string' ? cut(text, itemLimits.logBodyCharsMax) : null
}

function readLevel(raw: unknown, severity: number | null): string {
  const name = readLabel(raw, 20)?.toLowerCase() ?? ''
  if (name === 'warning') return 'warn'
  if (Object.hasOwn(severities, name)) return name
  const below = Object.entries(severities).findLast(([, least]) => (severity ?? 9) >= least)
  return below?.[0] ?? 'info'
}

function serviceName(attributes: Attributes, fallback: string): string {
  return readLabel(textOf(attributes, 'service.name'), itemLimits.labelCharsMax) ?? fallback
}
