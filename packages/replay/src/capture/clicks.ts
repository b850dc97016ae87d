import { clickBurstMs, promptMutationMs, promptScrollMs } from '../limits.ts'
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

/**
 * Finds clicks that did nothing (S23). A click is good when the page changed within 3 s or scrolled
 * within 300 ms; slow when it changed later; dead when it did not within 7 s. Five clicks on what is
 * dead are rage: `clickCount` says it.
 */
export class Clicks {
  readonly #slowMs: number
  readonly #report: ReportClick
  #bursts: Burst[] = []

  constructor(slowMs: number, report: ReportClick) {
    this.#slowMs = slowMs
    this.#report = report
  }

  /** A click on something that should react. */
  click(nodeId: number, click: ClickBreadcrumb): void {
    const now = Date.now()
    const known = this.#bursts.find(
      (it) => it.nodeId === nodeId && now - it.lastClickAt <= clickBurstMs,
    )
    const burst: Burst = known ?? {
      nodeId,
      clickedAt: now,
      click,
      lastClickAt: now,
      clickCount: 0,
      changedMs: Infinity,
      scrolledMs: Infinity,
    }
    if (!known) {
      this.#bursts.push(burst)
      setTimeout(() => this.#judge(burst), this.#slowMs)
    }
    burst.lastClickAt = now
    burst.clickCount += 1
  }

  /** What happened in the document. */
  observe({ type, data }: EmittedEvent): void {
    if (type !== kinds.incremental) return
    if (reactions.includes(data.source)) this.react()
    else if (data.source === kinds.scroll) this.react('scrolledMs')
  }

  /** A reaction that is not in the document: a window that opened. */
  react(what: 'changedMs' | 'scrolledMs' = 'changedMs'): void {
    for (const burst of this.#bursts) {
      burst[what] = Math.min(burst[what], Date.now() - burst.clickedAt)
    }
  }

  #judge(burst: Burst): void {
    this.#bursts = this.#bursts.filter((it) => it !== burst)
    const { clickCount, changedMs, scrolledMs, click, clickedAt } = burst
    const slowMs = this.#slowMs
    const isGood = scrolledMs <= promptScrollMs || changedMs <= Math.min(promptMutationMs, slowMs)
    const told = isGood
      ? { metric: true }
      : {
          timeAfterClickMs: Math.min(changedMs, slowMs),
          endReason: changedMs < slowMs ? 'mutation' : 'timeout',
        }
    if (isGood && clickCount < 2) return
    const data = { ...click.data, clickCount, ...told }
    const category = isGood ? 'ui.multiClick' : 'ui.slowClickDetected'
    this.#report(category, { ...click, data }, clickedAt)
  }
}
