/**
 * The dynamic sampling context, which travels with a trace and returns in the envelope header
 * `trace`. All members are text, as in `baggage`.
 */
export interface SamplingContext {
  readonly trace_id?: string
  /** Key of the project that began the trace, which may not be ours; it proves nothing. */
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
