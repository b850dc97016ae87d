import { slowClickMs } from '../limits.ts'
import type { ReplayOptions } from '../options.ts'
import type { Recorder } from '../recorder.ts'
import { Clicks } from './clicks.ts'
import type { ReportClick } from './clicks.ts'
import { watchNavigations } from './navigations.ts'
import { watchNetwork } from './network.ts'
import { watchPerformance } from './performance.ts'

export interface Measures {
  readonly undo: readonly (() => void)[]
  readonly clicks: Clicks
  /** Records how much memory is in use. */
  readonly addMemory: () => void
}

/**
 * What is measured rather than seen: requests, navigations, loading, vitals, memory, and what became of
 * clicks. A chunk of its own, loaded once the recording runs: browsers keep what they measured for
 * those who ask later, and of a click or a navigation before that no more is known than that it was.
 */
export function watchMeasures(
  recorder: Recorder,
  { network, slowClickMs: slowMs = slowClickMs }: ReplayOptions,
  keepQuery: readonly string[] | undefined,
  report: ReportClick,
): Measures {
  const { undo, addMemory } = watchPerformance(recorder, keepQuery)
  return {
    undo: [
      undo,
      watchNavigations(recorder, keepQuery),
      ...watchNetwork(recorder, network, keepQuery),
    ],
    clicks: new Clicks(slowMs, report),
    addMemory,
  }
}
