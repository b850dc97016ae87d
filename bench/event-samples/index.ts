import type { ProcessedEnvelope } from '@afterimage/server/storage/events/port'
import { seededRandom } from '@afterimage/server/testing/seeded-random'
import type { Context } from './context.ts'
import { errorEnvelope } from './errors.ts'
import { replayEnvelopes } from './replays.ts'
import { traceEnvelope } from './traces.ts'

/*
 * Generated traffic of the event store's benches: a shop in five projects, 500 issues and 60 pages
 * by Zipf's law, 20,000 people, 12 tags. The same seed gives the same traffic.
 */

export interface Samples {
  /** An envelope with one error event of 6 to 8 KB. */
  error(receivedAt: number): ProcessedEnvelope
  /** An envelope with a page load: a transaction with its spans (ten in all, on average) and vitals. */
  trace(receivedAt: number): ProcessedEnvelope
  /** The envelopes of a whole replay: one to ten segments. */
  replay(receivedAt: number): readonly ProcessedEnvelope[]
}

export function openSamples(seed: number): Samples {
  const random = seededRandom(seed)
  const context: Context = { random, deliveries: 0, replayIds: [], traceIds: [] }
  return {
    error: (receivedAt) => errorEnvelope(context, receivedAt),
    trace: (receivedAt) => traceEnvelope(context, receivedAt),
    replay: (receivedAt) => replayEnvelopes(context, receivedAt),
  }
}
