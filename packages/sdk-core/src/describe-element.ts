import { elementCharactersMax, elementLevelsMax } from './limits.ts'
import type { LabelsOf } from './labels.ts'
import { head } from './normalize.ts'

/** The developer's own words. */
const attributes = ['type', 'name', 'role', 'data-testid']

/**
 * An attribute, '' where there is none. A form's members hide its own: `form.getAttribute` may be an
 * input of that name.
 */
export function attributeOf(element: Element, name: string): string {
  return Element.prototype.getAttribute.call(element, name) ?? ''
}

/** Elements that a page has marked: `afterimage-unmask` and so on, as a class or as data. */
export function marked(name: string): string {
  return `.afterimage-${name},[data-afterimage-${name}]`
}

/**
 * An element as a short selector: `form#pay > button.primary[type="submit"]`. Text and values are
 * never in it; labels are as `labels` writes them, and without it none are.
 */
export function describeElement(element: Element, labels?: LabelsOf): string {
  let text = ''
  let current: Element | null | undefined = element
  for (let level = 0; current && level < elementLevelsMax; level += 1) {
    if (text && current.localName === 'html') break
    const longer: string = describeOne(current, labels) + (text && ` > ${text}`)
    if (text && longer.length > elementCharactersMax) break
    text = head(longer, elementCharactersMax)
    // Out of a shadow root through its host.
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
