import type { Row } from '../../../storage/events/tables.ts'
import { readNumber } from '../fields.ts'
import type { ItemContext } from '../item.ts'
import { isRecord, readHexId } from '../../steps/normalize/text.ts'
import { numberOf, textOf, type Attributes } from './attributes.ts'
import { storedText } from './privacy.ts'
import type { SpanFacts, SpanSender } from './row.ts'

export const vitalNames = ['lcp', 'cls', 'inp', 'fcp', 'fp', 'ttfb', 'fid'] as const

export type VitalName = (typeof vitalNames)[number]

export interface Vital {
  readonly name: VitalName
  /** ms; cls is a ratio. */
  readonly value: number
  readonly element: string | null
}

/** A vital of more than this is a clock's mistake, not a page's. One day in ms. */
const vitalMax = 86_400_000
const elementCharsMax = 1_024

/** Vitals in a transaction's or an older span's `measurements`: `{lcp: {value, unit}, …}`. */
export function vitalsOfMeasurements(measurements: unknown, attributes: Attributes): Vital[] {
  if (!isRecord(measurements)) return []
  return vitalNames.flatMap((name) => {
    const entry = measurements[name]
    const value = readNumber(isRecord(entry) ? entry['value'] : entry)
    const unit = isRecord(entry) ? entry['unit'] : null
    const ms = value !== null && unit === 'second' && name !== 'cls' ? value * 1000 : value
    return asVital(name, ms, attributes)
  })
}

/** Vitals that streamed spans carry as attributes: `browser.web_vital.<name>.value`. */
export function vitalsOfAttributes(attributes: Attributes): Vital[] {
  return vitalNames.flatMap((name) =>
    asVital(name, numberOf(attributes, `browser.web_vital.${name}.value`), attributes),
  )
}

function asVital(name: VitalName, value: number | null, attributes: Attributes): Vital[] {
  if (value === null || value < 0 || value > vitalMax) return []
  const element = textOf(
    attributes,
    `browser.web_vital.${name}.element`,
    `browser.web_vital.${name}.target`,
    `browser.web_vital.${name}.source.1`,
    `${name}.element`,
    `${name}.target`,
    `${name}.source.1`,
  )
  return [{ name, value, element: element?.slice(0, elementCharsMax) ?? null }]
}

/** The columns that a vital's row takes from its page load. */
export interface VitalOwner {
  readonly timestamp: number
  readonly traceId: string
  /** Span id of the page load. */
  readonly segmentId: string
  /** Null when the page's name came, or will come, with another envelope. */
  readonly segmentName: string | null
  readonly release: string | null
  readonly environment: string | null
  readonly browser: string | null
}

/** Reads the owner of a span's vitals: the page load it names, else its segment. */
export function vitalOwner(
  span: SpanFacts,
  sender: SpanSender,
  shiftMs: number,
  context: ItemContext,
): VitalOwner {
  const pageLoad = readHexId(textOf(span.attributes, 'sentry.pageload.span_id'), 16)
  return {
    timestamp: span.startMs + shiftMs,
    traceId: span.traceId,
    segmentId: pageLoad ?? span.segmentId ?? span.spanId,
    segmentName: span.segmentName === null ? null : storedText(span.segmentName, context),
    release: sender.release,
    environment: sender.environment,
    browser: sender.browser,
  }
}

export function vitalRows(vitals: readonly Vital[], owner: VitalOwner): Row[] {
  const { timestamp, ...columns } = owner
  return vitals.map((vital) => ({ table: 'vitals', timestamp, columns: { ...columns, ...vital } }))
}
