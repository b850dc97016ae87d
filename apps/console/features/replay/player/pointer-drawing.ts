import type { Pointer, PointerPoint } from './pointer-track.ts'
import { standIns } from '../page/adapt-css.ts'
import { parentOf } from '../page/focus.ts'
import type { RecordedPage } from '../page/recorded-page.ts'

const svg = 'http://www.w3.org/2000/svg'
const arrow = 'M0 0l6.200 17 3.600-6.800 7.400-1.700z'
/** Duration of the ring around a press, ms of the recording. */
const pressMs = 500

/** The styles of the drawing; the colours are the tokens `--now` and `--after` of the light theme. */
export const pointerStyles = `
.pointer{position:absolute;left:0;top:0;width:100%;height:100%;overflow:visible;pointer-events:none;z-index:2}
.pointer .trail{fill:none;stroke:#0b98ab;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.pointer .arrow{fill:#1c1a17;stroke:#fff;stroke-width:1.4;stroke-linejoin:round}
.pointer .press{fill:none;stroke:#e5480b;stroke-width:2.5}`

/** Draws the pointer over a page, and marks what it is over. It is drawn from the moment alone, without timers. */
export class PointerDrawing {
  readonly element: SVGSVGElement
  readonly #trail: SVGElement
  readonly #arrow: SVGElement
  readonly #press: SVGElement
  #marked: Element[] = []

  constructor(doc: Document) {
    this.element = doc.createElementNS(svg, 'svg')
    this.element.setAttribute('class', 'pointer')
    this.#trail = this.#part('polyline', 'trail')
    this.#press = this.#part('circle', 'press')
    this.#arrow = this.#part('path', 'arrow')
    this.#arrow.setAttribute('d', arrow)
  }

  draw(pointer: Pointer | null, page: RecordedPage): void {
    this.#mark(pointer, page)
    if (pointer === null) {
      this.element.style.display = 'none'
      return
    }
    this.element.style.display = ''
    const { x, y } = placed(pointer.point, page)
    const points = pointer.trail.map((point) => placed(point, page))
    this.#trail.setAttribute('points', points.map((point) => `${point.x},${point.y}`).join(' '))
    this.#arrow.setAttribute('transform', `translate(${x} ${y})`)
    this.#arrow.style.display = pointer.point.isTouch ? 'none' : ''
    this.#drawPress(pointer, x, y)
  }

  #drawPress(pointer: Pointer, x: number, y: number): void {
    const { sincePress, point } = pointer
    const share = sincePress === null ? 1 : Math.min(1, sincePress / pressMs)
    const opacity = point.isDown ? 1 : 1 - share
    this.#press.setAttribute('transform', `translate(${x} ${y})`)
    this.#press.setAttribute('r', String(8 + (point.isDown ? 4 : 10 * share)))
    this.#press.setAttribute('opacity', String(opacity))
  }

  #mark(pointer: Pointer | null, page: RecordedPage): void {
    for (const element of this.#marked) element.removeAttribute(standIns.hover)
    this.#marked = []
    const node = pointer === null ? null : page.node(pointer.point.id)
    let element = node?.nodeType === 1 ? (node as Element) : (node?.parentElement ?? null)
    for (; element !== null; element = parentOf(element)) {
      element.setAttribute(standIns.hover, '')
      this.#marked.push(element)
    }
  }

  #part(name: string, kind: string): SVGElement {
    const part = this.element.ownerDocument.createElementNS(svg, name)
    part.setAttribute('class', kind)
    this.element.append(part)
    return part
  }
}

/** A place in the frame of a node, as a place in the page. */
function placed(point: PointerPoint, page: RecordedPage): { x: number; y: number } {
  let { x, y } = point
  let doc = page.node(point.id)?.ownerDocument ?? page.document
  while (doc !== page.document) {
    const frame = doc.defaultView?.frameElement
    if (!frame) break
    const box = frame.getBoundingClientRect()
    x += box.left + frame.clientLeft
    y += box.top + frame.clientTop
    doc = frame.ownerDocument
  }
  return { x, y }
}
