import { attributeOf, describeElement } from '@afterimage/sdk-core/describe-element'
import type { LabelsOf } from '@afterimage/sdk-core/labels'
import type { ClickBreadcrumb } from './clicks.ts'

/** Attributes of a clicked element that are recorded; those at the end of the list hold text. */
const attributes = [
  'id',
  'class',
  'role',
  'name',
  'disabled',
  'aria-disabled',
  'data-testid',
  'aria-label',
  'alt',
  'title',
]
const personal = /label|alt|title/

/** Describes a clicked element by its id in the recording; `show` masks its texts. */
export function describeClick(
  element: Element,
  nodeId: number,
  show: (text: string) => string,
  labels: LabelsOf | undefined,
): ClickBreadcrumb {
  const shown: Record<string, string> = {}
  for (const name of attributes) {
    const value = attributeOf(element, name).slice(0, 200)
    if (value)
      shown[name.replace('data-testid', 'testId')] = personal.test(name) ? show(value) : value
  }
  const texts = Array.from(element.childNodes, (it) => (it.nodeType === 3 ? it.nodeValue : ''))
  return {
    message: describeElement(element, labels),
    data: {
      nodeId,
      node: {
        id: nodeId,
        tagName: element.localName,
        textContent: show(texts.join('').trim().slice(0, 200)),
        attributes: shown,
      },
    },
  }
}
