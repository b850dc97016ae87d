import { cardNumbers } from './cards.ts'
import { attributeOf, marked } from './describe-element.ts'
import { guard } from './guard.ts'
import type { Integration } from './integration.ts'

/** Attributes that people read, or hear from a screen reader. */
const names = ['aria-label', 'title', 'alt']

/** Decides which elements show their labels. An invalid selector shows none. */
export interface LabelRules {
  /** Selector of elements that may show them, besides marked ones. */
  readonly unmask?: string | undefined
  /** Selectors of elements within those that may not, each behind a comma. */
  readonly hide?: string
  /** Returns a label without secrets; by default without card numbers. */
  readonly show?: (label: string) => string
}

/**
 * Returns the labels of an element as part of a selector, `[title="Pay"]`; '' where they are
 * hidden.
 */
export type LabelsOf = (element: Element) => string

/** The nearest mark wins; on one element the hiding one does. */
export function createLabels({
  unmask,
  hide = '',
  show = (it) => it.replace(cardNumbers, '*'),
}: LabelRules): LabelsOf {
  const hidden = `${marked('mask')},${marked('block')}${hide}`
  // No element is named `_`.
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

/** Adds labels to descriptions of elements, as far as the client's `unmask` and marks allow. */
export function labels(): Integration {
  return {
    name: 'labels',
    setup(client) {
      // The recorder's version also hides known secrets.
      client.labels ??= createLabels({ unmask: client.options.unmask })
    },
  }
}
