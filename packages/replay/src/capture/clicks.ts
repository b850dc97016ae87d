import { abandonedClickMs, clickBurstMs, promptMutationMs, promptScrollMs } from '../limits.ts'
import * as kinds from '../recording/kinds.ts'
import type { EmittedEvent } from '../recording/rrweb.ts'

/** A change of the page that answers a click. */
const reactions: readonly (number | undefined)[] = [
  kinds.mutation,
  kinds.mediaInteraction,
  kinds.styleSheetRule,
  kinds.canvasMutation,
  kinds.styleDeclaration,
  kinds.selection,
  kinds.adoptedStyleSheet,
]

/** A burst of clicks on one element, waiting for a reaction. */
interface Burst {
  readonly nodeId: number
  readonly clickedAt: number
  readonly click: ClickBreadcrumb
  lastClickAt: number
  clickCount: number
  /** Times after the click, ms; Infinity until the reaction happens. */
  changedMs: number
  scrolledMs: number
}

export interface ClickBreadcrumb {
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Records a breadcrumb of a click that happened at `atMs`. */
export type ReportClick = (category: string, click: ClickBreadcrumb, atMs: number) => void

export interface Clicks {
  /** Notes a click on an element that should react. */
  click(nodeId: number, click: ClickBreadcrumb): void
  /** Notes a change in the document. */
  observe(event: EmittedEvent): void
  /**
   * Notes a reaction outside the document, such as a new window. It answers the clicks of the
   * `withinMs` before it.
   */
  react(what?: 'changedMs' | 'scrolledMs', withinMs?: number): void
  /** Settles the open clicks when the page is left. */
  leave(): void
}

/**
 * Finds clicks without effect. A click is good when the page changes within 3 s or scrolls within
 * 300 ms, slow when it changes later, and dead when nothing changes within 7 s. Five clicks on a
 * dead element are a rage click, which `clickCount` shows. A click is also dead when the page is
 * left a second or more later without a reaction.
 * @see docs/specification.md#s23
 */
export function createClicks(slowMs: number, report: ReportClick): Clicks {
  let bursts: Burst[] = []

  function click(nodeId: number, described: ClickBreadcrumb): void {
    const now = Date.now()
    let burst = bursts.find((it) => it.nodeId === nodeId && now - it.lastClickAt <= clickBurstMs)
    if (!burst) {
      const made: Burst = {
        nodeId,
        clickedAt: now,
        click: described,
        lastClickAt: now,
        clickCount: 0,
        changedMs: Infinity,
        scrolledMs: Infinity,
      }
      bursts.push((burst = made))
      setTimeout(() => judge(made), slowMs)
    }
    burst.lastClickAt = now
    burst.clickCount += 1
  }

  function observe({ type, data }: EmittedEvent): void {
    if (type !== kinds.incremental) return
    if (reactions.includes(data.source)) react()
    else if (data.source === kinds.scroll) react('scrolledMs')
  }

  function react(what: 'changedMs' | 'scrolledMs' = 'changedMs', withinMs = Infinity): void {
    const now = Date.now()
    for (const burst of bursts) {
      if (now - burst.lastClickAt < withinMs) {
        burst[what] = Math.min(burst[what], now - burst.clickedAt)
      }
    }
  }

  function leave(): void {
    // A browser that does not say why the page is left needs an older click.
    const minMs = 'navigation' in globalThis ? abandonedClickMs : promptMutationMs
    for (const burst of bursts) {
      const leftMs = Date.now() - burst.clickedAt
      if (leftMs >= minMs) judge(burst, leftMs)
    }
    bursts = []
  }

  /** Settles a burst; `leftMs` is the time from its click until the page was left. */
  function judge(burst: Burst, leftMs?: number): void {
    if (!bursts.includes(burst)) return
    bursts = bursts.filter((it) => it !== burst)
    const { clickCount, changedMs, scrolledMs, click: described, clickedAt } = burst
    const endMs = leftMs ?? slowMs
    const isGood = scrolledMs <= promptScrollMs || changedMs <= Math.min(promptMutationMs, slowMs)
    const told = isGood
      ? { metric: true }
      : {
          timeAfterClickMs: Math.min(changedMs, endMs),
          endReason: changedMs < endMs ? 'mutation' : leftMs ? 'pageLeft' : 'timeout',
        }
    if (isGood && clickCount < 2) return
    const data = { ...described.data, clickCount, ...told }
    const category = isGood ? 'ui.multiClick' : 'ui.slowClickDetected'
    report(category, { ...described, data }, clickedAt)
  }

  return { click, observe, react, leave }
}
