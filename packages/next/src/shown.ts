import { guard } from '@afterimage/sdk-core/guard'
import { createWatch, patch } from '@afterimage/sdk-core/watch/watch'

/** Next's own measure of the pages mode, there when its first page has been drawn. */
const hydration = 'Next.js-hydration'

/**
 * Calls the listener each time a router has drawn: the document's own page, then the page of each
 * transition. The app mode writes its state into the history as it commits a page, also for an
 * address that stays the same; the pages mode leaves a measure, and says the rest by its events
 * (`watchPagesRouter`).
 */
export const watchShown = createWatch<void>((tell) => [
  ...['pushState', 'replaceState'].map((name) =>
    patch(
      history,
      name,
      (original) =>
        function state(...values) {
          original.apply(this, values)
          if (isOfAppRouter(values[0])) guard(() => tell()())
        },
    ),
  ),
  watchHydration(() => tell()()),
])

function isOfAppRouter(state: unknown): boolean {
  return typeof state === 'object' && state !== null && '__NA' in state
}

function watchHydration(tell: () => void): () => void {
  if (typeof PerformanceObserver === 'undefined') return () => undefined
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName(hydration).length > 0) tell()
  })
  observer.observe({ type: 'measure', buffered: true })
  return () => observer.disconnect()
}
