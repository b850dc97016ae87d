import type { Mirror } from '../recording/rrweb.ts'
import { isSecret } from './mask.ts'
import type { Masks } from './mask.ts'

/** What of the nodes in an event may be shown, by rrweb's ids. */
export interface Shown {
  /** Text of an element, or that text itself. */
  text(id: number): boolean
  /** Of an input; asked for each that has a type, so that what was a password once is remembered. */
  value(id: number): boolean
  /** An event begins that asks so often. */
  expect(questions: number): void
  /** There is a frame or a shadow root, into which no search of the document looks. */
  addRoot(): void
}

/** From here on one search of the document is cheaper than going up from each element. */
const manyQuestions = 1000

export function createShown(masks: Masks, mirror: Mirror): Shown {
  let hasRoots = false
  /** In a large batch the document is asked once whether there is anything to show at all. */
  let isNothing = false
  const shown: Shown = {
    text(id) {
      if (isNothing) return false
      const node = mirror.getNode(id) as Element | null
      return masks.isUnmasked(
        node?.nodeType === 1
          ? node
          : (node?.parentElement ?? (node?.parentNode as Partial<ShadowRoot> | null)?.host),
      )
    },
    value: (id) => !isSecret(mirror.getNode(id) as Element | null) && shown.text(id),
    expect(questions) {
      isNothing =
        questions > manyQuestions && !hasRoots && !document.querySelector(masks.selectors.unmask)
    },
    addRoot() {
      isNothing = !(hasRoots = true)
    },
  }
  return shown
}
