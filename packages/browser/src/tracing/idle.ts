import { childMs, finalMs, idleMs } from './limits.ts'
import type { SpanRecord } from './span.ts'
import type { TracingOptions } from './tracing-options.ts'

/** The root of a page load or navigation, which ends by itself. */
export interface IdleRoot {
  readonly root: SpanRecord
  /** Why it ends, then its end. */
  finish(reason: string): void
  /** It may end by itself from now on. */
  release(): void
  /** When a page without children counts as ready. */
  readyAt?: number
}

/**
 * Ends a root `idleMs` after its last child, `childMs` after its newest child began while any is
 * open, or after `finalMs`. Its end is that of its last child. Children that are still open were
 * cancelled by it; those that began after it, or lasted longer than any page can, are left out.
 */
export function createIdle(root: SpanRecord, options: TracingOptions, isHeld: boolean): IdleRoot {
  const { idleTimeoutMs = idleMs, childTimeoutMs = childMs, finalTimeoutMs = finalMs } = options
  const { segment } = root
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  let childTimer: ReturnType<typeof setTimeout> | undefined
  let isReleased = !isHeld
  const finalTimer = setTimeout(() => {
    root.setStatus('deadline_exceeded')
    idle.finish('finalTimeout')
  }, finalTimeoutMs)

  const idle: IdleRoot = {
    root,
    finish(reason) {
      root.setAttributes({ 'sentry.idle_span_finish_reason': reason })
      root.end()
    },
    release() {
      isReleased = true
      changed(segment.openSpans > 0)
    },
  }

  function changed(hasBegun: boolean): void {
    clearTimeout(idleTimer)
    if (segment.openSpans === 0) {
      clearTimeout(childTimer)
      if (isReleased) idleTimer = setTimeout(idle.finish, idleTimeoutMs, 'idleTimeout')
    } else if (hasBegun) {
      clearTimeout(childTimer)
      if (isReleased) childTimer = setTimeout(idle.finish, childTimeoutMs, 'heartbeatFailed')
    }
  }

  segment.changed = changed
  segment.settle = (endedAt) => {
    for (const timer of [idleTimer, childTimer, finalTimer]) clearTimeout(timer)
    const [, ...children] = segment.spans
    const ends = children.flatMap((it) => it.endedAt ?? [])
    const lastEnd = ends.length > 0 ? Math.max(...ends) : idle.readyAt
    const end = Math.max(root.startedAt, Math.min(endedAt, lastEnd ?? endedAt))
    root.endedAt = Math.min(end, root.startedAt + finalTimeoutMs)
    const kept = segment.spans.filter(
      (it) =>
        it.startedAt <= root.endedAt! &&
        (it.endedAt ?? root.endedAt!) - it.startedAt <= finalTimeoutMs + idleTimeoutMs,
    )
    const left = segment.spans.length - kept.length
    if (left > 0) root.attributes['sentry.idle_span_discarded_spans'] = left
    segment.spans.splice(0, segment.spans.length, ...kept)
  }
  changed(false)
  return idle
}
