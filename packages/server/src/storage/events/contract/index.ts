import type { EventStore } from '../port.ts'
import { testAggregates } from './aggregates.ts'
import { testAppends } from './appends.ts'
import { testPages } from './pages.ts'
import { testQuantiles } from './quantiles.ts'
import { testRemovals } from './removals.ts'
import { testReplays } from './replays.ts'
import { testShuffles } from './shuffles.ts'
import { testUnnamedBlobs } from './unnamed-blobs.ts'
import { testVitals } from './vitals.ts'

/** Opens an empty store for one test, which closes it. */
export type OpenStore = () => Promise<EventStore>

/**
 * The contract of every adapter of the events store. Call it inside a test file with a way to open
 * an empty store.
 */
export function testEventStore(open: OpenStore): void {
  testAppends(open)
  testPages(open)
  testAggregates(open)
  testQuantiles(open)
  testReplays(open)
  testRemovals(open)
  testShuffles(open)
  testVitals(open)
  testUnnamedBlobs(open)
}
