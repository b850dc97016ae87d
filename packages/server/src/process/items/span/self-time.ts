export interface TimedSpan {
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly startMs: number
  readonly endMs: number
}

/**
 * Returns the time each span was busy itself: its duration without the union of its direct children, in ms,
 * by span id. Children are clipped to their parent. Knows only the spans it is given.
 */
export function selfTimes(spans: readonly TimedSpan[]): ReadonlyMap<string, number> {
  const children = new Map<string, TimedSpan[]>()
  for (const span of spans) {
    if (span.parentSpanId === null || span.parentSpanId === span.spanId) continue
    const siblings = children.get(span.parentSpanId)
    if (siblings === undefined) children.set(span.parentSpanId, [span])
    else siblings.push(span)
  }
  for (const siblings of children.values()) siblings.sort((a, b) => a.startMs - b.startMs)
  const result = new Map<string, number>()
  for (const span of spans) {
    const covered = coveredMs(span, children.get(span.spanId) ?? [])
    result.set(span.spanId, Math.max(0, span.endMs - span.startMs - covered))
  }
  return result
}

/** Length of the union of intervals that are sorted by start, within the parent's own. */
function coveredMs(parent: TimedSpan, sorted: readonly TimedSpan[]): number {
  let covered = 0
  let reached = parent.startMs
  for (const child of sorted) {
    const start = Math.max(child.startMs, reached)
    const end = Math.min(child.endMs, parent.endMs)
    if (end <= start) continue
    covered += end - start
    reached = end
  }
  return covered
}
