import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import {
  eventSource,
  eventType,
  fieldsOf,
  listOf,
  numberOf,
  textOf,
  type Fields,
} from '../timeline/recorded.ts'
import { adaptCss } from './adapt-css.ts'
import { AdoptedSheets, changeDeclaration, changeRules } from './adopted-sheets.ts'
import { applyMutation } from './apply-mutation.ts'
import { buildTree } from './build-node.ts'
import { CanvasPictures } from './canvas-pictures.ts'
import { choose } from './choices.ts'
import { Focus } from './focus.ts'
import type { MediaState } from './media-state.ts'
import { PageNodes } from './page-nodes.ts'
import type { PageParts } from './page-parts.ts'
import { settleElement } from './settle-element.ts'

/**
 * One page of a recording, drawn into a document of its own. It begins with a full snapshot and
 * applies one event after another. The picture depends on the events alone, and on no timer. Going
 * back means building the page again.
 */
export class RecordedPage {
  readonly #doc: Document
  readonly #parts: PageParts
  readonly #focus: Focus
  readonly #pictures = new CanvasPictures()
  readonly #defined = new Set<string>()
  readonly #frames: HTMLIFrameElement[] = []
  #selection: Fields | null = null
  #size: { readonly width: number; readonly height: number } | null = null

  /** Begins in `doc`, an empty document of a frame without scripts. */
  constructor(doc: Document, snapshot: RecordingEvent, media: MediaState) {
    this.#doc = doc
    const css = rememberTexts((text) => adaptCss(text, media))
    const nodes = new PageNodes()
    this.#parts = {
      nodes,
      media,
      css,
      sheets: new AdoptedSheets(css),
      styleTexts: new Map(),
      tags: new WeakMap(),
      unsettled: new Set(),
      framed: new Map(),
      scrolled: new Map(),
      openFrames: () => this.#openFrames(),
      define: (name) => this.#define(name),
      built: (element, id) => this.#built(element, id),
    }
    this.#focus = new Focus(nodes)
    const data = fieldsOf(snapshot.data)
    const root = fieldsOf(data['node'])
    this.#fill(doc, root)
    this.#focus.begin(numberOf(data['focus']))
    const offset = fieldsOf(data['initialOffset'])
    this.#noteScroll(numberOf(root['id']), offset['left'], offset['top'])
    this.settle()
  }

  get document(): Document {
    return this.#doc
  }

  /** The size that a change of the window gave it, CSS px; null before the first. */
  get size(): { readonly width: number; readonly height: number } | null {
    return this.#size
  }

  /** The drawn node of a recorded id. */
  node(id: number): Node | null {
    return this.#parts.nodes.get(id)
  }

  /** All documents that are drawn: the page's own and those of its frames. */
  documents(): Document[] {
    const framed = this.#frames.flatMap((frame) =>
      frame.isConnected && frame.contentDocument !== null ? [frame.contentDocument] : [],
    )
    return [this.#doc, ...framed]
  }

  /** Applies one event. Call `settle` after the last one of a step. */
  apply(event: RecordingEvent): void {
    if (event.type !== eventType.incremental) return
    try {
      this.#applyIncremental(fieldsOf(event.data), event.timestamp)
    } catch {
      // A change that fits no page (the recording lost a segment, or was forged) changes nothing.
    }
  }

  /** Brings what depends on layout and order to the state of the last event: scrolls, layers, canvases, focus, selection. */
  settle(): void {
    for (const element of this.#parts.unsettled) settleElement(element)
    this.#parts.unsettled.clear()
    this.#pictures.show(this.#parts)
    for (const [id, place] of this.#parts.scrolled) this.#scrollTo(id, place)
    this.#focus.show(this.#doc)
    this.#select()
  }

  #applyIncremental(data: Fields, timestamp: number): void {
    switch (data['source']) {
      case eventSource.mutation:
        return applyMutation(data, this.#parts)
      case eventSource.mouseInteraction:
        return this.#focus.hear(data, timestamp)
      case eventSource.scroll:
        return this.#noteScroll(numberOf(data['id']), data['x'], data['y'])
      case eventSource.resize:
        this.#size = sizeOf(data) ?? this.#size
        return
      case eventSource.input:
        return this.#input(data)
      case eventSource.canvas:
        return this.#pictures.note(data)
      case eventSource.styleRule:
        return this.#changeSheet(data, changeRules)
      case eventSource.styleDeclaration:
        return this.#changeSheet(data, changeDeclaration)
      case eventSource.selection:
        this.#selection = data
        return
      case eventSource.adoptedSheets:
        return this.#adopt(data)
      case eventSource.customElement: {
        const name = textOf(fieldsOf(data['define'])['name'], 128)
        if (name !== null) this.#define(name)
      }
    }
  }

  /** Fills an empty document with a recorded one. */
  #fill(doc: Document, recorded: Fields): void {
    doc.open()
    // Only a parser decides whether a page is laid out as the old ones were.
    doc.write(recorded['compatMode'] === 'BackCompat' ? '<html>' : '<!doctype html>')
    doc.close()
    while (doc.lastChild !== null) doc.lastChild.remove()
    const id = numberOf(recorded['id'])
    if (id !== null) this.#parts.nodes.add(id, doc)
    this.#parts.sheets.give(doc, id)
    for (const name of this.#defined) defineIn(doc, name)
    for (const child of listOf(recorded['childNodes'])) this.#fillChild(doc, fieldsOf(child))
  }

  #fillChild(doc: Document, recorded: Fields): void {
    const isSecondType = recorded['type'] === 1 && doc.doctype !== null
    const node = isSecondType ? null : buildTree(recorded, doc, this.#parts)
    const isSecondRoot = node?.nodeType === 1 && doc.documentElement !== null
    if (node === null || isSecondRoot || node.nodeType === 3) return
    doc.appendChild(node)
    this.#openFrames()
  }

  /** Fills frames that are in the document by now with the documents that came for them. */
  #openFrames(): void {
    for (const id of this.#parts.framed.keys()) this.#openFrame(id)
  }

  #openFrame(id: number): void {
    const frame = this.#parts.nodes.element(id) as HTMLIFrameElement | null
    const recorded = this.#parts.framed.get(id)
    if (frame?.isConnected !== true || recorded === undefined) return
    const doc = frame.contentDocument
    if (!doc) return
    this.#parts.framed.delete(id)
    this.#frames.push(frame)
    this.#fill(doc, recorded)
  }

  #built(element: HTMLElement, id: number): void {
    if (element.shadowRoot !== null) this.#parts.sheets.give(element.shadowRoot, id)
    if (/^(?:dialog|select)$/.test(element.localName) || element.hasAttribute('rr_popover')) {
      this.#parts.unsettled.add(element)
    }
  }

  #input(data: Fields): void {
    const element = this.#parts.nodes.element(data['id']) as HTMLInputElement | null
    if (element === null) return
    applyInput(element, data)
    // The value that a list came with counts no more.
    this.#parts.unsettled.delete(element)
  }

  #changeSheet(
    data: Fields,
    change: (data: Fields, sheet: CSSStyleSheet, css: (text: string) => string) => void,
  ): void {
    const { sheets, nodes, css } = this.#parts
    const styleId = numberOf(data['styleId'])
    const owner = nodes.element(data['id']) as HTMLStyleElement | null
    const sheet = styleId === null ? (owner?.sheet ?? null) : sheets.sheet(styleId)
    if (sheet !== null) change(data, sheet, css)
  }

  #adopt(data: Fields): void {
    const { sheets, nodes } = this.#parts
    const user = nodes.get(data['id'])
    const doc = user === null ? this.#doc : (user.ownerDocument ?? (user as Document))
    for (const id of sheets.note(data, doc)) {
      const node = nodes.get(id)
      const root = node?.nodeType === 9 ? (node as Document) : (node as Element | null)?.shadowRoot
      if (root) sheets.give(root, id)
    }
  }

  #define(name: string): void {
    if (!/^[a-z][\w.-]*-[\w.-]*$/.test(name) || this.#defined.has(name)) return
    this.#defined.add(name)
    for (const doc of this.documents()) defineIn(doc, name)
  }

  #noteScroll(id: number | null, left: unknown, top: unknown): void {
    if (id === null) return
    this.#parts.scrolled.set(id, { left: numberOf(left) ?? 0, top: numberOf(top) ?? 0 })
  }

  #scrollTo(id: number, place: { left: number; top: number }): void {
    const node = this.#parts.nodes.get(id)
    if (node?.nodeType === 9) {
      ;(node as Document).defaultView?.scrollTo({ ...place, behavior: 'instant' })
    } else (node as Element | null)?.scrollTo?.({ ...place, behavior: 'instant' })
  }

  #select(): void {
    const ranges = listOf(this.#selection?.['ranges']).map(fieldsOf)
    if (this.#selection === null) return
    this.#doc.getSelection()?.removeAllRanges()
    for (const { start, startOffset, end, endOffset } of ranges) {
      const from = this.#parts.nodes.get(start)
      const to = this.#parts.nodes.get(end)
      if (from === null || to === null) continue
      try {
        from.ownerDocument
          ?.getSelection()
          ?.setBaseAndExtent(from, Number(startOffset), to, Number(endOffset))
      } catch {
        // An offset beyond the text: it has changed since.
      }
    }
  }
}

function sizeOf(data: Fields): { width: number; height: number } | null {
  const width = numberOf(data['width'])
  const height = numberOf(data['height'])
  return width === null || height === null ? null : { width, height }
}

function applyInput(element: HTMLInputElement, data: Fields): void {
  const { isChecked, text, values } = data
  if (element.localName === 'select') {
    const chosen = Array.isArray(values) ? values : [text ?? '']
    return choose(element as unknown as HTMLSelectElement, chosen.map(String))
  }
  if (element.localName === 'input' && typeof isChecked === 'boolean') element.checked = isChecked
  if (typeof text === 'string') element.value = text
}

function defineIn(doc: Document, name: string): void {
  const view = doc.defaultView
  if (view === null || view.customElements.get(name) !== undefined) return
  try {
    view.customElements.define(name, class extends view.HTMLElement {})
  } catch {
    // A name that HTML keeps for itself.
  }
}

/** The same sheet is often used again: by the same page a moment later, by every instance of a component. */
function rememberTexts(adapt: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const adapted = known.get(text) ?? adapt(text)
    known.set(text, adapted)
    return adapted
  }
}
