import { guard } from './guard.ts'
import { elementCharactersMax, elementLevelsMax } from './limits.ts'

/** Attributes that are the developer's own words, and those that may hold a person's. */
const plain = ['type', 'name', 'role', 'data-testid']
const personal = ['aria-label', 'title', 'alt']

/** Elements whose personal attributes may be described, besides those of the option `unmask`. */
export const unmaskSelector = '.afterimage-unmask,[data-afterimage-unmask]'

/**
 * An element as a short selector: `form#pay > button.primary[type="submit"]`. Text and values are
 * never in it; `aria-label`, `title` and `alt` only inside of what is unmasked. A selector that is
 * none unmasks nothing.
 */
export function describeElement(element: Element, unmask?: string): string {
  let text = ''
  let current: Element | null | undefined = element
  for (let level = 0; current && level < elementLevelsMax; level += 1) {
    if (text && current.localName === 'html') break
    const longer: string = describeOne(current, unmask) + (text && ` > ${text}`)
    if (text && longer.length > elementCharactersMax) break
    text = longer.slice(0, elementCharactersMax)
    // Out of a shadow root through its host.
    current = current.parentElement ?? (current.getRootNode() as Partial<ShadowRoot>).host
  }
  return text
}

function describeOne(element: Element, unmask: string | undefined): string {
  // A form's members hide its own attributes: `form.id` may be an input called "id".
  const get = (name: string): string =>
    Element.prototype.getAttribute.call(element, name)?.trim() ?? ''
  const id = get('id')
  const names = unmasked(element, unmask) ? [...plain, ...personal] : plain
  return (
    element.localName +
    (id ? `#${id}` : get('class').replace(/^(?=.)|\s+/g, '.')) +
    names.map((name) => get(name) && `[${name}="${get(name)}"]`).join('')
  )
}

/** Where it is unmasked, or null. */
function unmasked(element: Element, unmask: string | undefined): Element | null | undefined {
  return guard(() => element.closest(unmaskSelector + (unmask ? `,${unmask}` : '')))
}
