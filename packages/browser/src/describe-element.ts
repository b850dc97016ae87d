import { guard } from './guard.ts'
import { elementCharactersMax, elementLevelsMax } from './limits.ts'

/** The developer's own words, and then those that may hold a person's. */
const attributes = ['type', 'name', 'role', 'data-testid', 'aria-label', 'title', 'alt']
const ownWords = 4

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
 * never in it; `aria-label`, `title` and `alt` only inside of what is unmasked, and not in what is
 * masked or blocked in there. A selector that is none unmasks nothing.
 */
export function describeElement(
  element: Element,
  unmask?: string,
  hide?: readonly string[],
): string {
  let text = ''
  let current: Element | null | undefined = element
  for (let level = 0; current && level < elementLevelsMax; level += 1) {
    if (text && current.localName === 'html') break
    const longer: string = describeOne(current, unmask, hide) + (text && ` > ${text}`)
    if (text && longer.length > elementCharactersMax) break
    text = longer.slice(0, elementCharactersMax)
    // Out of a shadow root through its host.
    current = current.parentElement ?? (current.getRootNode() as Partial<ShadowRoot>).host
  }
  return text
}

function describeOne(element: Element, unmask?: string, hide?: readonly string[]): string {
  const get = (name: string): string => attributeOf(element, name).trim()
  const id = get('id')
  const names = attributes.slice(0, isUnmasked(element, unmask, hide) ? undefined : ownWords)
  return (
    element.localName +
    (id ? `#${id}` : get('class').replace(/^(?=.)|\s+/g, '.')) +
    names.map((name) => get(name) && `[${name}="${get(name)}"]`).join('')
  )
}

/** The nearest mark wins; on one element that which hides. No element is called `_`. */
function isUnmasked(
  element: Element,
  unmask?: string,
  hide: readonly string[] = [],
): boolean | undefined {
  const hidden = `${[...hide, marked('mask'), marked('block')]}`
  return guard(
    () =>
      element.closest(`${[hidden, marked('unmask'), unmask || '_']}`)?.matches(hidden) === false,
  )
}
