import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import type { Row } from '../../../storage/events/tables.ts'
import { processEntries } from '../container-item.ts'
import { memberOf, readLabel, readNumber } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import type { ItemContext } from '../item.ts'
import { isRecord, readHexId } from '../../steps/normalize/text.ts'
import { correctTime } from '../../steps/normalize/time.ts'
import { readTypedAttributes } from '../span/attributes.ts'
import { storedAttributes } from '../span/privacy.ts'
import { spanSender, type SenderHints } from '../span/sender.ts'

const metricTypes = new Set(['counter', 'gauge', 'distribution'])

/** A container of measurements an application made: counters, gauges and distributions. */
export function processMetrics(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  return processEntries(item.header.type, item, context, metricRow)
}

function metricRow(
  raw: unknown,
  index: number,
  context: ItemContext,
  hints: SenderHints,
): Row | Refusal {
  if (!isRecord(raw)) return refuse('invalid_payload', 'A metric must be a JSON object.')
  const name = readLabel(raw['name'], itemLimits.labelCharsMax)
  if (name === null) return refuse('missing_field', 'A metric needs a name.')
  const type = raw['type']
  if (typeof type !== 'string' || !metricTypes.has(type)) {
    return refuse('invalid_payload', 'A metric is a counter, a gauge or a distribution.')
  }
  const value = readNumber(isRecord(raw['value']) ? memberOf(raw, 'value', 'value') : raw['value'])
  if (value === null) return refuse('invalid_payload', 'A metric needs a number as its value.')
  const attributes = readTypedAttributes(raw['attributes'])
  const { release, environment } = spanSender([attributes], context, hints)
  return {
    table: 'metrics',
    timestamp: correctTime(raw['timestamp'], context, []).timestamp,
    columns: {
      key: `${context.envelopeHash}:${context.index}:${index}`,
      name,
      type,
      value,
      unit: readLabel(raw['unit'], 50),
      traceId: readHexId(raw['trace_id'], 32),
      spanId: readHexId(raw['span_id'], 16),
      release,
      environment,
    },
    payload: JSON.stringify(storedAttributes(attributes, context)),
  }
}
