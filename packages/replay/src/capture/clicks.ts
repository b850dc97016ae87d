import { abandonedClickMs, clickBurstMs, promptMutationMs, promptScrollMs } from '../limits.ts'
import * as kinds from '../recording/kinds.ts'
import type { EmittedEvent } from '../recording/rrweb.ts'

/** Something in the page that changed, so that a click was of use. */
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
  /** Times after the click; Infinity until it happens. */
  changedMs: number
  scrolledMs: number
}

export interface ClickBreadcrumb {
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Records a breadcrumb of a click; `atMs` is when that was. */
export type ReportClick = (category: string, click: ClickBreadcrumb, atMs: number) => void

export interface Clicks {
  /** A click on something that should react. */
  click(nodeId: number, click: ClickBreadcrumb): void
  /** What happened in the document. */
  observe(event: EmittedEvent): void
  /**
   * A reaction, also one that is not in the document: a window that opened. It answers what was clicked
   * in the time before it.
   */
  react(what?: 'changedMs' | 'scrolledMs', withinMs?: number): void
  /** The page goes. */
  leave(): void
}

/**
 * Finds clicks that did nothing. A click is good when the page changed within 3 s or scrolled
 * within 300 ms; slow when it changed later; dead when it did not within 7 s. Five clicks on a dead
 * element are rage: `clickCount` says so. A click is also dead when the page is left after a second or
 * more without a reaction.
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
    // Browsers that do not tell why need a click to be older.
    const minMs = 'navigation' in globalThis ? abandonedClickMs : promptMutationMs
    for (const burst of bursts) {
      const leftMs = Date.now() - burst.clickedAt
      if (leftMs >= minMs) judge(burst, leftMs)
    }
    bursts = []
  }

  /** `leftMs` after the click its page was left. */
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
