import { marked } from '@afterimage/sdk-core/describe-element'
import type { Attributes, Mirror } from '../recording/rrweb.ts'
import type { Masks } from './mask.ts'
import type { ShowWords } from './styles.ts'

/** Decides what may be shown of a node in an event, by rrweb's ids. */
export interface Shown {
  /** Says whether a text, or the text of an element, may be shown. */
  text(id: number): boolean
  /** Returns such a text without secrets; text that people edit counts as typed. */
  show(text: string, id?: number): string
  /** Shows words of style sheets, only where the whole page is shown. */
  sheets(): ShowWords | undefined
  /**
   * Says whether an input's value may be shown. Asked for each with a type, so that former
   * passwords are remembered.
   */
  value(id: number): boolean
  /** Says whether a node is part of a drawing: SVG, apart from elements named `except`. */
  isDrawing(id: number, except?: string): boolean
  /** Reads an element's attributes, before anything that depends on them is asked. */
  see(attributes: Attributes): void
}

/** Part of the name or class that marks an element. */
const mark = 'afterimage-unmask'

/** Shows nothing, and leaves the document alone, until an element with our mark is recorded. */
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
