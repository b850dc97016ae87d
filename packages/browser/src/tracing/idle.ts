import { childMs, finalMs, idleMs } from './limits.ts'
import type { SpanRecord } from './span.ts'
import type { TracingOptions } from './tracing-options.ts'

/** The root of a page load or navigation, which ends by itself. */
export interface IdleRoot {
  readonly root: SpanRecord
  /** Ends the root, with the reason as an attribute. */
  finish(reason: string): void
  /** End of a page without children. */
  readyAt?: number
}

/**
 * Ends a root `idleMs` after its last child, or `childMs` after its newest child began if any is
 * open, but not while the document is loading; at the latest after `finalMs`. It ends with its last
 * child. Open children are cancelled; those that began after its end, or lasted longer than
 * `finalMs`, are left out.
 */
export function createIdle(root: SpanRecord, options: TracingOptions): IdleRoot {
  const { idleTimeoutMs = idleMs, childTimeoutMs = childMs, finalTimeoutMs = finalMs } = options
  const { segment } = root
  let timer: ReturnType<typeof setTimeout> | undefined
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
  }

  function changed(hasBegun: boolean): void {
    const isIdle = segment.openSpans === 0
    if (!isIdle && !hasBegun) return
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        if (document.readyState === 'loading') changed(true)
        else idle.finish(isIdle ? 'idleTimeout' : 'heartbeatFailed')
      },
      isIdle ? idleTimeoutMs : childTimeoutMs,
    )
  }

  segment.changed = changed
  segment.settle = (endedAt) => {
    clearTimeout(timer)
    clearTimeout(finalTimer)
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
