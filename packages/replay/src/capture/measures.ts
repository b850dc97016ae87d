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
  /** Records the memory in use, and the media settings that decide how pages look. */
  readonly addState: () => void
}

/**
 * Watches requests, navigations, page loading, vitals, memory and the effect of clicks. It is a
 * chunk of its own, loaded once the recording runs. Browsers keep their earlier measurements for
 * late observers; earlier clicks and navigations are recorded without their effect.
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
    // Repeated with each segment: in buffer mode the first ones may have been dropped.
    addState() {
      addMemory()
      addMedia()
    },
  }
}

/**
 * Watches for navigations to another document, by a script or by a link clicked just now. Going
 * back was not caused by a click. `document` never raises this event: browsers without `navigation`
 * report none.
 */
function watchFollowed(clicks: Clicks): () => void {
  const { navigation } = globalThis as { navigation?: EventTarget }
  return listen(navigation ?? document, 'navigate', (event: NavigateEvent) => {
    if (event.destination.sameDocument) return
    clicks.react('changedMs', event.userInitiated ? linkMs : Infinity)
  })
}
