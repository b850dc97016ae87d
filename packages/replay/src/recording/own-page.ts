import { guard } from '@afterimage/browser/guard'

let isKnown = false

/** What rrweb looks for on a page. */
interface Page {
  Element: unknown
  MutationObserver: unknown
  Zone?: unknown
  /** Angular's zones keep the browser's own under names like this. */
  readonly ['__zone_symbol__MutationObserver']?: unknown
}

/**
 * Lets rrweb find what it takes for the page's own `Element` and `MutationObserver`, once for all
 * recordings of this page. Called once rrweb has patched `attachShadow`, which is what makes it look;
 * for that moment it finds ours, and keeps them.
 *
 * - It checks `Element` for a getter of what is a method, never finds one, and so puts a frame into
 *   every page to take another's `Element`: a fifth of all that a start costs, and a change that the
 *   page's observers see. It gets the getter of `shadowRoot`, the only one it uses, under each name,
 *   and still checks that it is the browser's.
 * - Its observers tell `isTaken` how many records have come; false keeps them from being worked off.
 *   A second observer would cost as much as the browser's part of the first (8,000 texts: 27 instead
 *   of 22 ms). They are made outside of Angular's zone, which would look for changes after each.
 */
export function answerForPage(isTaken: (records: number) => boolean): void {
  if (isKnown) return
  isKnown = true
  const page = globalThis as unknown as Page
  const { Element: own, MutationObserver: observer, Zone } = page
  const Native = (page['__zone_symbol__MutationObserver'] ?? observer) as typeof MutationObserver
  function observe(deliver: (records: MutationRecord[]) => void): MutationObserver {
    return new Native((records) => {
      if (isTaken(records.length)) deliver(records)
    })
  }
  guard(() => {
    const shadowRoot = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
    const getters = { shadowRoot, querySelector: shadowRoot, querySelectorAll: shadowRoot }
    const host = document.implementation.createHTMLDocument().body
    if (Zone) page.Zone = undefined
    page.Element = { prototype: Object.create(null, getters) }
    // Bound, so that it reads as native: rrweb looks.
    page.MutationObserver = { prototype: { constructor: observe.bind(null) } }
    guard(() => host.attachShadow({ mode: 'open' }))
    page.MutationObserver = observer
    page.Element = own
    if (Zone) page.Zone = Zone
  })
}
