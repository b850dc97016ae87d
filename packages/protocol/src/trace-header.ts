import { normalizeSpanId, normalizeTraceId } from './ids.ts'
import { baggageCharactersMax, baggageMembersMax, baggageReadCharactersMax } from './limits.ts'

/** Who called us: one span of another program. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** Null leaves the decision to whoever receives it. */
  readonly sampled: boolean | null
}

/** Reads `sentry-trace`: `{trace id}-{span id}[-{0|1}]`. Null when malformed. */
export function parseSentryTrace(header: string): TraceParent | null {
  const match = /^\s*([0-9a-f]{32})-([0-9a-f]{16})(?:-([01]))?\s*$/i.exec(header)
  if (match === null) return null
  return traceParent(match[1], match[2], match[3] === undefined ? null : match[3] === '1')
}

export function formatSentryTrace(parent: TraceParent): string {
  const flag = parent.sampled === null ? '' : parent.sampled ? '-1' : '-0'
  return `${parent.traceId}-${parent.spanId}${flag}`
}

/**
 * Reads W3C `traceparent`: `{version}-{trace id}-{span id}-{flags}`. Later versions may append fields.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function parseTraceparent(header: string): TraceParent | null {
  const match = /^\s*([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-\S*)?\s*$/.exec(
    header,
  )
  if (match === null || match[1] === 'ff') return null
  if (match[1] === '00' && match[5] !== undefined) return null
  return traceParent(match[2], match[3], (Number.parseInt(match[4]!, 16) & 1) === 1)
}

/** An undecided parent is written as not sampled, as the format has no third state. */
export function formatTraceparent(parent: TraceParent): string {
  return `00-${parent.traceId}-${parent.spanId}-${parent.sampled === true ? '01' : '00'}`
}

/**
 * Dynamic sampling context: what travels with a trace, and comes back in the envelope header
 * `trace`. All members are text, as they were in `baggage`.
 */
export interface SamplingContext {
  readonly trace_id?: string
  /** Key of the project that began the trace; maybe not ours, so never a proof of anything. */
  readonly public_key?: string
  readonly sample_rate?: string
  readonly sample_rand?: string
  readonly sampled?: string
  readonly release?: string
  readonly environment?: string
  readonly transaction?: string
  readonly replay_id?: string
  readonly org_id?: string
  readonly [member: string]: string | undefined
}

const memberPrefix = 'sentry-'

/** The sampling context inside a `baggage` header; null when it holds none. */
export function parseBaggage(header: string): SamplingContext | null {
  const entries: [string, string][] = []
  for (const { key, value } of baggageMembers(header)) {
    if (key.startsWith(memberPrefix)) entries.push([key.slice(memberPrefix.length), value])
  }
  return entries.length === 0 ? null : cleanContext(Object.fromEntries(entries))
}

/**
 * Writes `baggage`: the sampling context, then the members of `existing` that are not ours. Never
 * longer than 8192 characters: a member that would pass it is left out, smaller ones still go.
 */
export function formatBaggage(context: SamplingContext, existing: string | null = null): string {
  const own = Object.entries(context).flatMap(([key, value]) =>
    value === undefined ? [] : encodeMember(memberPrefix + key, value),
  )
  const foreign = existing === null ? [] : foreignMembers(existing)
  let header = ''
  for (const member of [...own, ...foreign]) {
    const longer = header === '' ? member : `${header},${member}`
    if (longer.length <= baggageCharactersMax) header = longer
  }
  return header
}

/**
 * The sampling context of an envelope header's `trace`. Members that are not text are left out;
 * null when nothing is left. Ids are normalised, malformed ones left out.
 */
export function decodeSamplingContext(trace: unknown): SamplingContext | null {
  if (typeof trace !== 'object' || trace === null) return null
  const entries = Object.entries(trace).flatMap(([key, value]) => {
    const isText = ['string', 'number', 'boolean'].includes(typeof value)
    return isText ? [[key, String(value)] as const] : []
  })
  return entries.length === 0 ? null : cleanContext(Object.fromEntries(entries))
}

function cleanContext(context: SamplingContext): SamplingContext {
  const { trace_id: trace, replay_id: replay, ...rest } = context
  const traceId = normalizeTraceId(trace)
  const replayId = normalizeTraceId(replay)
  return {
    ...(traceId !== null && { trace_id: traceId }),
    ...(replayId !== null && { replay_id: replayId }),
    ...rest,
  }
}

function traceParent(
  trace: string | undefined,
  span: string | undefined,
  sampled: boolean | null,
): TraceParent | null {
  const traceId = normalizeTraceId(trace)
  const spanId = normalizeSpanId(span)
  return traceId === null || spanId === null ? null : { traceId, spanId, sampled }
}

/** Decoded members in order; a member whose escapes are broken is skipped, properties are cut off. */
function baggageMembers(header: string): { readonly key: string; readonly value: string }[] {
  if (header.length > baggageReadCharactersMax) return []
  return header.split(',', baggageMembersMax).flatMap((member) => {
    const [pair = ''] = member.split(';', 1)
    const equals = pair.indexOf('=')
    if (equals <= 0) return []
    try {
      const key = decodeURIComponent(pair.slice(0, equals).trim())
      return [{ key, value: decodeURIComponent(pair.slice(equals + 1).trim()) }]
    } catch {
      return []
    }
  })
}

/** Members of others, as they stand. */
function foreignMembers(header: string): string[] {
  if (header.length > baggageReadCharactersMax) return []
  return header
    .split(',', baggageMembersMax)
    .map((member) => member.trim())
    .filter((member) => member.includes('=') && !member.startsWith(memberPrefix))
}

/** A half of a surrogate pair has no encoding; such a member is left out. */
function encodeMember(key: string, value: string): string[] {
  try {
    return [`${encodeURIComponent(key)}=${encodeURIComponent(value)}`]
  } catch {
    return []
  }
}
