import { numberOf, type Fields } from '../timeline/recorded.ts'
import { standIns } from './adapt-css.ts'
import type { PageNodes } from './page-nodes.ts'

/** rrweb's numbers of what a pointer or the focus did. */
export const interaction = {
  mouseDown: 1,
  click: 2,
  focus: 5,
  blur: 6,
  touchStart: 7,
  touchEnd: 9,
} as const

/** A focus so soon after a press came from it, ms: browsers then draw no ring around buttons. */
const pressMs = 400

/**
 * Holds the focused element. The recorded page never takes the reader's focus: attributes represent it,
 * and the page's styles for `:focus` match them.
 */
export class Focus {
  readonly #nodes: PageNodes
  #id: number | null = null
  #isFromPress = false
  #pressedAt = 0
  #marked: Element[] = []

  constructor(nodes: PageNodes) {
    this.#nodes = nodes
  }

  /** Takes the focus that the page had when it was recorded whole. Only a text field surely has a ring then. */
  begin(id: number | null): void {
    this.#id = id
    this.#isFromPress = true
  }

  hear(data: Fields, timestamp: number): void {
    const id = numberOf(data['id'])
    if (data['type'] === interaction.mouseDown || data['type'] === interaction.touchStart) {
      this.#pressedAt = timestamp
    } else if (data['type'] === interaction.focus) {
      this.#id = id
      this.#isFromPress = timestamp - this.#pressedAt < pressMs
    } else if (data['type'] === interaction.blur && id === this.#id) this.#id = null
  }

  show(doc: Document): void {
    for (const element of this.#marked) {
      for (const name of focusNames) element.removeAttribute(name)
    }
    this.#marked = []
    const focused = this.#nodes.element(this.#id)
    if (focused === null || focused === doc.body) return
    this.#mark(focused, standIns.focus)
    if (!this.#isFromPress || isWritten(focused)) this.#mark(focused, standIns['focus-visible'])
    for (let at: Element | null = focused; at !== null; at = parentOf(at)) {
      this.#mark(at, standIns['focus-within'])
    }
  }

  #mark(element: Element, name: string): void {
    element.setAttribute(name, '')
    this.#marked.push(element)
  }
}

const focusNames = [standIns.focus, standIns['focus-visible'], standIns['focus-within']]

/** Tells whether text is typed into the element: browsers always draw the ring around those. */
function isWritten(element: HTMLElement): boolean {
  if (element.localName === 'textarea' || element.hasAttribute('contenteditable')) return true
  const type = element.getAttribute('type') ?? 'text'
  return (
    element.localName === 'input' &&
    !/^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/i.test(type)
  )
}

/** The element around another, out of shadow roots too. */
export function parentOf(element: Element): Element | null {
  const parent = element.parentNode
  if (parent === null) return null
  if (parent.nodeType === 1) return parent as Element
  return (parent as ShadowRoot).host ?? null
}
