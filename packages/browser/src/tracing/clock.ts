/**
 * The time of spans: ms since the epoch with a fraction, on the page's monotonic clock. That clock
 * stops while a machine sleeps, so it is set anew whenever a navigation begins.
 */
let origin = performance.timeOrigin

export function now(): number {
  return epochOf(performance.now())
}

/** What the performance timeline calls `timelineMs`. */
export function epochOf(timelineMs: number): number {
  return origin + timelineMs
}

export function setClock(): void {
  origin = Date.now() - performance.now()
}

/** How the document was loaded; `activationStart` is when one that was made in advance was shown. */
export function documentTiming():
  | (PerformanceNavigationTiming & { readonly activationStart?: number })
  | undefined {
  return performance.getEntriesByType('navigation')[0]
}
