import { elementCharactersMax, elementLevelsMax } from './limits.ts'
import type { LabelsOf } from './labels.ts'
import { head } from './normalize.ts'

/** Attributes written by developers. */
const attributes = ['type', 'name', 'role', 'data-testid']

/**
 * Returns an attribute, or '' where there is none. A form's inputs hide its own members:
 * `form.getAttribute` may be an input of that name.
 */
export function attributeOf(element: Element, name: string): string {
  return Element.prototype.getAttribute.call(element, name) ?? ''
}

/**
 * Returns the selector of elements that a page has marked, as `afterimage-unmask`, by class or by
 * data.
 */
export function marked(name: string): string {
  return `.afterimage-${name},[data-afterimage-${name}]`
}

/**
 * Describes an element as a short selector: `form#pay > button.primary[type="submit"]`. It never
 * contains text or values, and labels only as `labels` returns them.
 */
export function describeElement(element: Element, labels?: LabelsOf): string {
  let text = ''
  let current: Element | null | undefined = element
  for (let level = 0; current && level < elementLevelsMax; level += 1) {
    if (text && current.localName === 'html') break
    const longer: string = describeOne(current, labels) + (text && ` > ${text}`)
    if (text && longer.length > elementCharactersMax) break
    text = head(longer, elementCharactersMax)
    // A shadow root continues at its host.
    current = current.parentElement ?? (current.getRootNode() as Partial<ShadowRoot>).host
  }
  return text
}

function describeOne(element: Element, labels?: LabelsOf): string {
  const get = (name: string): string => attributeOf(element, name).trim()
  const id = get('id')
  return (
    element.localName +
    (id ? `#${id}` : get('class').replace(/^(?=.)|\s+/g, '.')) +
    attributes.map((name) => get(name) && `[${name}="${get(name)}"]`).join('') +
    (labels?.(element) ?? '')
  )
}
