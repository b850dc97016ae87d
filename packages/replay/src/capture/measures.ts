import type { NetworkOptions } from '../options.ts'
import type { Recorder } from '../recorder.ts'
import { watchNetwork } from './network.ts'
import { watchPerformance } from './performance.ts'

export interface Measures {
  readonly undo: readonly (() => void)[]
  /** Records how much memory is in use. */
  readonly addMemory: () => void
}

/**
 * What is measured rather than seen: requests, loading, vitals, memory. A chunk of its own, loaded
 * once the recording runs: browsers keep what they measured for those who ask later.
 */
export function watchMeasures(
  recorder: Recorder,
  network: NetworkOptions | undefined,
  keepQuery: readonly string[] | undefined,
): Measures {
  const { undo, addMemory } = watchPerformance(recorder, keepQuery)
  return { undo: [undo, ...watchNetwork(recorder, network, keepQuery)], addMemory }
}
