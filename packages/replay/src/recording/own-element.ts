import { guard } from '@afterimage/browser/guard'

let isKnown = false

/**
 * Lets rrweb find the page's own `Element`. It checks it for a getter of what is a method, never
 * finds one, and so puts a frame into every page to take another's `Element`: a fifth of all that a
 * start costs, and a change that the page's observers see. For the moment in which it looks it gets
 * the getter of `shadowRoot`, the only one it uses, under each name; it still checks that it is the
 * browser's. Called once rrweb has patched `attachShadow`, which is what makes it look.
 */
export function answerForElement(): void {
  if (isKnown) return
  isKnown = true
  const page = globalThis as { Element: unknown }
  const { Element } = page as typeof globalThis
  guard(() => {
    const shadowRoot = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
    const getters = { shadowRoot, querySelector: shadowRoot, querySelectorAll: shadowRoot }
    page.Element = { prototype: Object.create(null, getters) }
    guard(() => document.createElement('p').attachShadow({ mode: 'open' }))
    page.Element = Element
  })
}
