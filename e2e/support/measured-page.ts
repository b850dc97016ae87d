import type { Page } from 'playwright-core'
import type * as picturePage from './picture-page.ts'

type PicturePage = Window & typeof globalThis & typeof picturePage

/** Measures each element with an id, of a page and of its picture. Runs inside of pages. */
function measure(root: Document): unknown[] {
  const view = root.defaultView as Window & typeof globalThis
  const found: Element[] = []
  const visit = (around: Document | ShadowRoot) => {
    for (const element of around.querySelectorAll('*')) {
      if (element.id !== '') found.push(element)
      if (element.shadowRoot !== null) visit(element.shadowRoot)
    }
  }
  visit(root)
  return [root.documentElement, ...found].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const { display, color, backgroundColor, opacity, position } = view.getComputedStyle(element)
    const { value, checked } = element as HTMLInputElement
    const { selectedOptions } = element as HTMLSelectElement
    return {
      id: element.id,
      box: [x, y, width, height].map((px) => Math.round(px)),
      style: { display, color, backgroundColor, opacity, position },
      layer: [':modal', ':popover-open'].filter((state) => element.matches(state)),
      value,
      checked,
      chosen: selectedOptions ? [...selectedOptions].map((option) => option.index) : null,
      scroll: element.scrollTop,
    }
  })
}

/** Measures a page. */
export function measured(page: Page): Promise<unknown[]> {
  return page.evaluate((source) => {
    const read = new Function(`return ${source}`)() as (root: Document) => unknown[]
    return read(document)
  }, String(measure))
}

/** The same of the picture that `player`, a page with `picture-page.ts`, draws of the end of a recording. */
export function drawnAtEnd(player: Page, events: readonly unknown[]): Promise<unknown[]> {
  return player.evaluate(
    async ([given, source]) => {
      const { timelineOf, openIn } = window as unknown as PicturePage
      const timeline = timelineOf([{ segmentId: 0, events: given }])
      const { stage, root } = await openIn(timeline)
      stage.draw(timeline.durationMs, 0)
      const read = new Function(`return ${source}`)() as (root: Document) => unknown[]
      const found = read(stage.document() as Document)
      stage.close()
      root.remove()
      return found
    },
    [events, String(measure)] as const,
  )
}
