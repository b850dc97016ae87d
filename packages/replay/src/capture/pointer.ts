import { attributeOf, describeElement } from '@afterimage/browser/describe-element'
import { listen } from '@afterimage/browser/listen'
import { patch } from '@afterimage/browser/watch/watch'
import { clickBurstMs } from '../limits.ts'
import type { ReplayOptions } from '../options.ts'
import { stars, withoutCards } from '../privacy/mask.ts'
import type { Masks } from '../privacy/mask.ts'
import { mirror } from '../recording/dom.ts'
import type { Recorder } from '../recorder.ts'
import type { ClickBreadcrumb, Clicks, ReportClick } from './clicks.ts'

/** Attributes of a clicked element that are recorded; the last of them hold text, which is masked. */
const attributes =
  'id class role name disabled aria-disabled data-testid aria-label alt title'.split(' ')
const personal = /label|alt|title/

/**
 * Watches what people do: clicks, and that somebody is there. `clicks` finds those of no use, once it
 * is loaded.
 */
export function watchPointer(
  recorder: Recorder,
  { slowClickMs, slowClickIgnore }: ReplayOptions,
  masks: Masks,
  add: ReportClick,
  clicks: () => Clicks | undefined,
): (() => void)[] {
  let last: Element | undefined
  let lastAt = 0

  function onClick(event: MouseEvent): void {
    recorder.activity('click')
    const element = targetOf(event)
    if (!element) return
    const click = describeClick(element, masks)
    const now = Date.now()
    if (element !== last || now - lastAt > clickBurstMs) add('ui.click', click, now)
    last = element
    lastAt = now
    const nodeId = mirror.getId(element)
    const isExpected = !(slowClickMs! <= 0) && nodeId >= 0
    if (isExpected && shouldReact(element, event, slowClickIgnore)) clicks()?.click(nodeId, click)
  }

  return [
    listen(document, 'click', onClick),
    listen(document, 'input', () => recorder.activity('input')),
    listen(document, 'keydown', () => recorder.activity('key')),
    patch(globalThis, 'open', (original) => (...values) => {
      clicks()?.react()
      return original.apply(globalThis, values)
    }),
  ]
}

/** Whether a page is expected to react to a click on it. */
function shouldReact(element: Element, event: MouseEvent, ignored?: string): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  const own =
    'button,input[type=submit],input[type=button],a:not([download],[target]),a[target=_self]'
  return element.matches(own) && !(ignored && element.closest(ignored))
}

/** What was meant: the button, not the icon in it. */
function targetOf(event: Event): Element | null {
  const target = event.composedPath()[0]
  return target instanceof Element ? (target.closest('button,a') ?? target) : null
}

function describeClick(element: Element, masks: Masks): ClickBreadcrumb {
  const { unmask, mask, block } = masks.selectors
  const isShown = masks.isUnmasked(element) && !element.closest(block)
  const show = isShown ? withoutCards : stars
  const shown: Record<string, string> = {}
  for (const name of attributes) {
    const value = attributeOf(element, name).slice(0, 200)
    if (value)
      shown[name.replace('data-testid', 'testId')] = personal.test(name) ? show(value) : value
  }
  const texts = Array.from(element.childNodes, (it) => (it.nodeType === 3 ? it.nodeValue : ''))
  const nodeId = mirror.getId(element)
  return {
    message: describeElement(element, unmask, [mask, block]),
    data: {
      nodeId,
      node: {
        id: nodeId,
        tagName: element.localName,
        textContent: show(texts.join('').trim().slice(0, 200)),
        attributes: shown,
      },
    },
  }
}
