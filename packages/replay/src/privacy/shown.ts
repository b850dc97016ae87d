import { marked } from '@afterimage/browser/describe-element'
import type { Attributes, Mirror } from '../recording/rrweb.ts'
import { isSecret } from './mask.ts'
import type { Masks } from './mask.ts'

/** What of the nodes in an event may be shown, by rrweb's ids. */
export interface Shown {
  /** Text of an element, or that text itself. */
  text(id: number): boolean
  /** Of an input; asked for each that has a type, so that what was a password once is remembered. */
  value(id: number): boolean
  /** Whether it is part of a drawing: SVG. */
  isDrawing(id: number): boolean
  /** An element's attributes, before anything is asked that depends on them. */
  see(attributes: Attributes): void
}

/** In the name of what marks an element, or in its class. */
const mark = 'afterimage-unmask'

/** Nothing is shown, and nobody asks the document, until an element with our mark was recorded. */
export function createShown(masks: Masks, mirror: Mirror): Shown {
  let isAnything = masks.selectors.unmask !== marked('unmask')
  const shown: Shown = {
    text(id) {
      if (!isAnything) return false
      const node = mirror.getNode(id) as Element | null
      return masks.isUnmasked(
        node?.nodeType === 1
          ? node
          : (node?.parentElement ?? (node?.parentNode as Partial<ShadowRoot> | null)?.host),
      )
    },
    value: (id) => !isSecret(mirror.getNode(id) as Element | null) && shown.text(id),
    isDrawing: (id) =>
      (mirror.getNode(id) as Partial<SVGElement> | null)?.ownerSVGElement !== undefined,
    see(attributes) {
      const { class: classes } = attributes
      isAnything ||=
        attributes[`data-${mark}`] !== undefined || !!(classes as string)?.includes(mark)
    },
  }
  return shown
}
