import { guard } from '@afterimage/sdk-core/guard'

/** Whether rrweb's observers are ours; undefined until it was asked. */
let isOurs: boolean | undefined

type Page = Record<string, unknown>

/**
 * Lets rrweb find what it takes for the page's own `Element`, `ShadowRoot` and `MutationObserver`, once
 * for all recordings of this page. Called once rrweb has patched `attachShadow`, which is what makes
 * it look; for that moment it finds ours, and keeps them.
 *
 * - It checks `Element` for a getter of what is a method, and `ShadowRoot` for a method that not all
 *   browsers have, never finds them, and so puts a frame into the page to take another's: a fifth of
 *   all that a start costs, and a change that the page's observers see. It gets the getters that it
 *   uses, under each name, and still checks that they are the browser's.
 * - Its observers tell `isTaken` how many records have come; false keeps them from being worked off.
 *   A second observer would cost as much as the browser's part of the first (8,000 texts: 27 instead
 *   of 22 ms). They are made outside of Angular's zone, which would look for changes after each.
 *
 * False where it could not be done, or the page has an observer of its own making: nobody counts.
 */
export function answerForPage(isTaken: (records: number) => boolean): boolean {
  if (isOurs !== undefined) return isOurs
  isOurs = false
  const page = globalThis as unknown as Page
  // Zones keep the browser's own under names like this.
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
    // Bound, so that it reads as native: rrweb looks.
    if (/\[native code]/.test(String(Native)))
      lent.MutationObserver = { prototype: { constructor: observe.bind(null) } }
    const { body } = document.implementation.createHTMLDocument()
    lend(page, lent, () => {
      const inside = body.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'))
      inside.attachShadow({ mode: 'open' })
    })
  })
  return isOurs
}

/** Puts these in the place of what the page has under their names, for as long as `act` takes. */
function lend(page: Page, lent: Page, act: () => void): void {
  const own: Page = {}
  try {
    for (const name in lent) {
      if (!Object.hasOwn(page, name)) continue
      own[name] = page[name]
      page[name] = lent[name]
    }
    act()
  } finally {
    for (const name in own) page[name] = own[name]
  }
}
