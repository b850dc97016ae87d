import type { Client } from '@afterimage/sdk-core/client'
import { listen } from '@afterimage/sdk-core/listen'
import { patch } from '@afterimage/sdk-core/watch/watch'
import { clickBurstMs } from '../limits.ts'
import type { ReplayOptions } from '../options.ts'
import { stars } from '../privacy/mask.ts'
import type { Masks } from '../privacy/mask.ts'
import { mirror } from '../recording/dom.ts'
import type { Recorder } from '../recorder.ts'
import type { Clicks, ReportClick } from './clicks.ts'
import { describeClick } from './describe-click.ts'

/** Watches clicks and other activity. `clicks`, once loaded, finds those without effect. */
export function watchPointer(
  client: Client,
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
    const [target] = event.composedPath()
    if (!(target instanceof Element)) return
    // The button was meant, not the icon in it.
    const element = target.closest('button,a') ?? target
    const nodeId = mirror.getId(element)
    const isShown = masks.isUnmasked(element) && !element.closest(masks.selectors.block)
    const show = isShown ? masks.secrets.show : stars
    const click = describeClick(element, nodeId, show, client.labels)
    const now = Date.now()
    if (element !== last || now - lastAt > clickBurstMs) add('ui.click', click, now)
    last = element
    lastAt = now
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

/** Tells whether a page is expected to react to a click on this element. */
function shouldReact(element: Element, event: MouseEvent, ignored?: string): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  const own =
    'button,input[type=submit],input[type=button],a:not([download],[target]),a[target=_self]'
  return element.matches(own) && !(ignored && element.closest(ignored))
}
