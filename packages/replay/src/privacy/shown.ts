import { marked } from '@afterimage/sdk-core/describe-element'
import type { Attributes, Mirror } from '../recording/rrweb.ts'
import type { Masks } from './mask.ts'
import type { ShowWords } from './styles.ts'

/** What of the nodes in an event may be shown, by rrweb's ids. */
export interface Shown {
  /** Text of an element, or that text itself. */
  text(id: number): boolean
  /** Such a text without what is never shown; what people write in it is typed. */
  show(text: string, id?: number): string
  /** How words of style sheets are shown: only where all of the page is. */
  sheets(): ShowWords | undefined
  /** Of an input; asked for each that has a type, so that what was a password once is remembered. */
  value(id: number): boolean
  /** Whether it is part of a drawing: SVG, but for elements of the name in `except`. */
  isDrawing(id: number, except?: string): boolean
  /** An element's attributes, before anything is asked that depends on them. */
  see(attributes: Attributes): void
}

/** In the name of what marks an element, or in its class. */
const mark = 'afterimage-unmask'

/** Nothing is shown, and nobody asks the document, until an element with our mark was recorded. */
export function createShown(masks: Masks, mirror: Mirror): Shown {
  let isAnything = masks.selectors.unmask !== marked('unmask')
  function elementOf(id: number): Element | null | undefined {
    const node = mirror.getNode(id) as Element | null
    return node?.nodeType === 1
      ? node
      : (node?.parentElement ?? (node?.parentNode as Partial<ShadowRoot> | null)?.host)
  }
  const shown: Shown = {
    text: (id) => isAnything && masks.isUnmasked(elementOf(id)),
    show: (text, id) =>
      id && elementOf(id)?.closest('[contenteditable]')
        ? masks.secrets.typed(text)
        : masks.secrets.show(text),
    sheets: () => (isAnything && masks.isUnmasked(document.body) ? shown.show : undefined),
    value: (id) => !masks.secrets.isSecret(mirror.getNode(id) as Element | null) && shown.text(id),
    isDrawing(id, except) {
      const node = mirror.getNode(id) as Partial<SVGElement> | null
      return node?.ownerSVGElement !== undefined && node.localName !== except
    },
    see(attributes) {
      const { class: classes } = attributes
      isAnything ||=
        attributes[`data-${mark}`] !== undefined || !!(classes as string)?.includes(mark)
    },
  }
  return shown
}
