import type { SamplingContext } from '@afterimage/sdk-core/sampling-context'
import { guard } from '@afterimage/sdk-core/guard'
import { createId } from '@afterimage/protocol/ids'
import { baggageCharactersMax, baggageReadCharactersMax } from './limits.ts'
import type { Attributes } from './span.ts'
import type { TracingOptions } from './tracing-options.ts'

/** One trace as far as this page knows it. */
export interface Trace {
  readonly traceId: string
  /** Stands in for the active span where there is none: the page's root, once there was one. */
  spanId: string
  /** The caller's span. */
  readonly parentSpanId?: string
  /** Decides everywhere in a trace: at least 0, below 1. */
  readonly rand: number
  /** Undefined until it is decided. */
  sampled?: boolean | undefined
  rate?: number
  /** Its newest root on this page. */
  root?: { readonly name: string; readonly source: string }
  /** The sampling context of the service that began the trace; passed on unchanged. */
  readonly frozen?: SamplingContext
}

export function createTrace(): Trace {
  return { traceId: createId(), spanId: createId(8), rand: random() }
}

/** Reads the trace named by `sentry-trace` and `baggage`; null when they name none. */
export function continuedTrace(sentryTrace: unknown, baggage: unknown): Trace | null {
  const match = /^\s*(?!0{32})([\da-f]{32})-([\da-f]{16})(?:-([01]))?\s*$/i.exec(
    String(sentryTrace),
  )
  if (!match) return null
  // Without baggage the context is known to be empty, and stays so.
  const frozen = readBaggage(String(baggage ?? ''))
  const rand = Number(frozen.sample_rand)
  const sampled = match[3] ? match[3] === '1' : undefined
  return {
    traceId: match[1]!.toLowerCase(),
    spanId: createId(8),
    parentSpanId: match[2]!.toLowerCase(),
    rand: rand >= 0 && rand < 1 ? rand : random(),
    sampled,
    frozen,
  }
}

/** Returns a number with six digits, as all SDKs write it. */
function random(): number {
  return Math.floor(Math.random() * 1e6) / 1e6
}

/**
 * Decides about a root: by the sampler, else by the decision already made in this trace, else by
 * the rate (1 by default). A rate keeps traces with `rand < rate`; one outside 0 to 1 keeps
 * nothing. `rateMax` limits all three.
 * @see docs/specification.md#s11
 */
export function decide(
  trace: Trace,
  name: string,
  attributes: Attributes,
  { tracesSampler, tracesSampleRate = 1 }: TracingOptions,
  rateMax = 1,
): void {
  const parentSampled = trace.sampled
  if (!tracesSampler && parentSampled !== undefined) {
    trace.sampled = parentSampled && trace.rand < rateMax
    return
  }
  const answer = tracesSampler
    ? guard(() => tracesSampler({ name, attributes, parentSampled }), 0)
    : tracesSampleRate
  const rate = Number(answer)
  trace.rate = rate >= 0 && rate <= 1 ? Math.min(rate, rateMax) : 0
  trace.sampled = trace.rand < trace.rate
}

/** Returns the sampling context of envelopes and `baggage`. `own` has the client's members. */
export function samplingOf(trace: Trace, own: SamplingContext): SamplingContext {
  const { traceId, root, sampled, rand, rate, frozen } = trace
  return (frozen ?? {
    ...own,
    trace_id: traceId,
    // A raw path may identify a person, and other services read this.
    transaction: root?.source === 'url' ? undefined : root?.name,
    ...(sampled !== undefined && {
      sampled: String(sampled),
      sample_rand: String(rand),
      sample_rate: String(rate),
    }),
  }) as SamplingContext
}

/**
 * Writes the members of `baggage` that fit. One that would exceed `charactersMax` is left out, and
 * smaller ones are still tried.
 * @see docs/specification.md#s13
 */
export function baggageOf(context: SamplingContext, charactersMax = baggageCharactersMax): string {
  let header = ''
  for (const [key, value] of Object.entries(context)) {
    if (value === undefined) continue
    // Half of a surrogate pair has no encoding; such a member is left out.
    const member = guard(() => `sentry-${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    const longer = member && (header ? `${header},${member}` : member)
    if (longer && longer.length <= charactersMax) header = longer
  }
  return header
}

/** Reads the members of `baggage` that belong to the sampling context. */
export function readBaggage(header: string): SamplingContext {
  const members: Record<string, string> = {}
  if (header.length > baggageReadCharactersMax) return members
  for (const [, key, value] of header.matchAll(/(?:^|,)\s*sentry-([^=,;\s]+)\s*=\s*([^,;\s]*)/g)) {
    guard(() => (members[decodeURIComponent(key!)] = decodeURIComponent(value!)))
  }
  return members
}
