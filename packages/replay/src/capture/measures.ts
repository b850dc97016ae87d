import { listen } from '@afterimage/sdk-core/listen'
import { linkMs, slowClickMs } from '../limits.ts'
import type { ReplayOptions } from '../options.ts'
import type { Recorder } from '../recorder.ts'
import { createClicks } from './clicks.ts'
import type { Clicks, ReportClick } from './clicks.ts'
import { watchMedia } from './media.ts'
import { watchNavigations } from './navigations.ts'
import { watchNetwork } from './network.ts'
import { watchPerformance } from './performance.ts'

export interface Measures {
  readonly undo: readonly (() => void)[]
  readonly clicks: Clicks
  /** Records how much memory is in use, and the settings that decide how pages look. */
  readonly addState: () => void
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
  const clicks = createClicks(slowMs, report)
  const { undo: unwatch, addMedia } = watchMedia(recorder)
  return {
    undo: [
      undo,
      ...unwatch,
      watchFollowed(clicks),
      watchNavigations(recorder, keepQuery),
      ...watchNetwork(recorder, network, keepQuery),
    ],
    clicks,
    // With each segment: in buffer mode the first ones may be gone by then.
    addState() {
      addMemory()
      addMedia()
    },
  }
}

/**
 * Another document is asked for: by the page's own programs, or by a person who clicked a link just
 * now. Whoever goes back was not led there by a click. Documents have no event of this name: where the
 * browser does not tell, nobody hears of any.
 */
function watchFollowed(clicks: Clicks): () => void {
  const { navigation } = globalThis as { navigation?: EventTarget }
  return listen(navigation ?? document, 'navigate', (event: NavigateEvent) => {
    if (event.destination.sameDocument) return
    clicks.react('changedMs', event.userInitiated ? linkMs : Infinity)
  })
}
