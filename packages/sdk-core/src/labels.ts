import { cardNumbers } from './cards.ts'
import { attributeOf, marked } from './describe-element.ts'
import { guard } from './guard.ts'
import type { Integration } from './integration.ts'

/** Attributes that people read, or are read to. */
const names = ['aria-label', 'title', 'alt']

/** Of which elements labels may be told, and how. A selector that is not valid tells nothing. */
export interface LabelRules {
  /** Selector of what may be told, besides what is marked. */
  readonly unmask?: string | undefined
  /** Selectors of what may not be inside of that, each behind a comma. */
  readonly hide?: string
  /** A label without what may never be told: numbers of cards, unless given. */
  readonly show?: (label: string) => string
}

/** The labels of an element as part of a selector, `[title="Pay"]`; '' where they may not be told. */
export type LabelsOf = (element: Element) => string

/** The nearest mark wins; on one element that which hides. */
export function createLabels({
  unmask,
  hide = '',
  show = (it) => it.replace(cardNumbers, '*'),
}: LabelRules): LabelsOf {
  const hidden = `${marked('mask')},${marked('block')}${hide}`
  // No element is called `_`.
  const all = `${hidden},${marked('unmask')},${unmask || '_'}`
  function write(element: Element, name: string): string {
    const label = attributeOf(element, name).trim()
    return label && `[${name}="${show(label)}"]`
  }
  return (element) =>
    guard(() => {
      const isShown = element.closest(all)?.matches(hidden) === false
      return isShown ? names.map((name) => write(element, name)).join('') : ''
    }, '')
}

/** Tells labels in descriptions of elements, as far as the client's `unmask` and marks allow. */
export function labels(): Integration {
  return {
    name: 'labels',
    setup(client) {
      // The recorder's own know more.
      client.labels ??= createLabels({ unmask: client.options.unmask })
    },
  }
}
