import type { SamplingContext } from '@afterimage/sdk-core/sampling-context'
import { guard } from '@afterimage/sdk-core/guard'
import { createId } from '@afterimage/protocol/ids'
import { baggageCharactersMax, baggageReadCharactersMax } from './limits.ts'
import type { Attributes } from './span.ts'
import type { TracingOptions } from './tracing-options.ts'

/** One trace as far as this page knows it. */
export interface Trace {
  readonly traceId: string
  /** Stands for the trace where no span is active: the page's root once there was one. */
  spanId: string
  /** The span that called us. */
  readonly parentSpanId?: string
  /** The same number decides everywhere in a trace: 0 up to, not including, 1. */
  readonly rand: number
  /** Undefined until somebody has decided. */
  sampled?: boolean | undefined
  rate?: number
  /** Its newest root here. */
  root?: { readonly name: string; readonly source: string }
  /** The sampling context of the service that began the trace; passed on unchanged. */
  readonly frozen?: SamplingContext
}

export function createTrace(): Trace {
  return { traceId: createId(), spanId: createId(8), rand: random() }
}

/** The trace that `sentry-trace` and `baggage` name; null when they name none. */
export function continuedTrace(sentryTrace: unknown, baggage: unknown): Trace | null {
  const match = /^\s*(?!0{32})([\da-f]{32})-([\da-f]{16})(?:-([01]))?\s*$/i.exec(
    String(sentryTrace),
  )
  if (!match) return null
  // Without baggage its context is known to be empty, and nothing of ours may be added.
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

/** Six digits, as all SDKs write it. */
function random(): number {
  return Math.floor(Math.random() * 1e6) / 1e6
}

/**
 * Decides about a root: the sampler, else the decision already made in this trace, else the rate (1
 * unless given). A `rate` keeps traces with `rand < rate`; a rate that is not a share keeps nothing.
 * @see docs/specification.md#s11
 */
export function decide(
  trace: Trace,
  name: string,
  attributes: Attributes,
  { tracesSampler, tracesSampleRate = 1 }: TracingOptions,
): void {
  const parentSampled = trace.sampled
  if (!tracesSampler && parentSampled !== undefined) return
  const answer = tracesSampler
    ? guard(() => tracesSampler({ name, attributes, parentSampled }), 0)
    : tracesSampleRate
  const rate = Number(answer)
  trace.rate = rate >= 0 && rate <= 1 ? rate : 0
  trace.sampled = trace.rand < trace.rate
}

/** The sampling context of envelopes and `baggage`. `own` has what the client says of itself. */
export function samplingOf(trace: Trace, own: SamplingContext): SamplingContext {
  const { traceId, root, sampled, rand, rate, frozen } = trace
  return (frozen ?? {
    ...own,
    trace_id: traceId,
    // A raw path may hold what identifies a person, and others will see it.
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
    // A half of a surrogate pair has no encoding; such a member is left out.
    const member = guard(() => `sentry-${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    const longer = member && (header ? `${header},${member}` : member)
    if (longer && longer.length <= charactersMax) header = longer
  }
  return header
}

/** The members of `baggage` that belong to the sampling context. */
export function readBaggage(header: string): SamplingContext {
  const members: Record<string, string> = {}
  if (header.length > baggageReadCharactersMax) return members
  for (const [, key, value] of header.matchAll(/(?:^|,)\s*sentry-([^=,;\s]+)\s*=\s*([^,;\s]*)/g)) {
    guard(() => (members[decodeURIComponent(key!)] = decodeURIComponent(value!)))
  }
  return members
}
