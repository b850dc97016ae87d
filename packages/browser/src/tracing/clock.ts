/**
 * The clock of spans: ms since the epoch with a fraction, on the page's monotonic clock. That clock
 * stops while a machine sleeps, so it is set again at each navigation.
 */
let origin = performance.timeOrigin

export function now(): number {
  return epochOf(performance.now())
}

/** Converts a time of the performance timeline. */
export function epochOf(timelineMs: number): number {
  return origin + timelineMs
}

export function setClock(): void {
  origin = Date.now() - performance.now()
}

/** Returns how the document was loaded; `activationStart` is when a prerendered one was shown. */
export function documentTiming():
  | (PerformanceNavigationTiming & { readonly activationStart?: number })
  | undefined {
  return performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined
}
