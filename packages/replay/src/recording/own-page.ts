import { guard } from '@afterimage/sdk-core/guard'

/** Tells whether rrweb's observers are ours; undefined until they are made. */
let isOurs: boolean | undefined

type Page = Record<string, unknown>

/**
 * Makes rrweb take our `Element`, `ShadowRoot` and `MutationObserver` for the page's own, once for
 * all recordings of this page. Call it once rrweb has patched `attachShadow`: that makes rrweb
 * look, find ours, and keep them.
 *
 * - rrweb expects `Element` to have getters where it has methods, and `ShadowRoot` to have a method
 *   that some browsers lack. It then adds a frame to borrow another's: a fifth of the cost of a
 *   start, and a change that the page's observers see. Ours have the getters that rrweb uses, under
 *   each name; rrweb still checks that they are native.
 * - Our observers pass the number of records to `isTaken`; false drops the records. A second
 *   observer would cost as much as the browser's part of the first (8,000 texts: 27 instead of 22
 *   ms). Ours are created outside Angular's zone, which would check for changes after each
 *   delivery.
 *
 * Returns false where it failed, or the page has replaced `MutationObserver`: then nothing counts.
 */
export function answerForPage(isTaken: (records: number) => boolean): boolean {
  if (isOurs !== undefined) return isOurs
  isOurs = false
  const page = globalThis as unknown as Page
  // Zones keep the browser's originals under such names.
  const Native = (page['__zone_symbol__MutationObserver'] ??
    MutationObserver) as typeof MutationObserver
  function observe(deliver: (records: MutationRecord[]) => void): MutationObserver {
    isOurs = true
    return new Native((records) => {
      if (isTaken(records.length)) deliver(records)
    })
  }
  guard(() => {
    const { shadowRoot } = Object.getOwnPropertyDescriptors(Element.prototype)
    const { host } = Object.getOwnPropertyDescriptors(ShadowRoot.prototype)
    const elements = { shadowRoot, querySelector: shadowRoot, querySelectorAll: shadowRoot }
    const roots = { host, styleSheets: host, getSelection: { value: host.get } }
    const lent: Page = {
      Zone: undefined,
      Element: { prototype: Object.create(null, elements) },
      ShadowRoot: { prototype: Object.create(null, roots) },
    }
    // Bound, so that rrweb's check takes it for native code.
    if (/\[native code]/.test(String(Native)))
      lent.MutationObserver = { prototype: { constructor: observe.bind(null) } }
    const { body } = document.implementation.createHTMLDocument()
    const own: Page = {}
    try {
      for (const name in lent) {
        if (!(name in page)) continue
        own[name] = page[name]
        page[name] = lent[name]
      }
      const inside = body.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'))
      inside.attachShadow({ mode: 'open' })
    } finally {
      Object.assign(page, own)
    }
  })
  return isOurs
}
