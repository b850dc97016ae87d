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
  const parts: string[] = []
  let length = 0
  let current: Element | null = element
  for (let level = 0; current !== null && level < elementLevelsMax; level += 1) {
    const part = describeOne(current, unmask)
    length += part.length + 3
    if (part === 'html' || (level > 0 && length > elementCharactersMax)) break
    parts.unshift(part)
    current = parentOf(current)
  }
  return parts.join(' > ').slice(0, elementCharactersMax)
}

function describeOne(element: Element, unmask: string | undefined): string {
  // A form's members hide its own attributes: `form.id` may be an input called "id".
  const get = (name: string): string | null => Element.prototype.getAttribute.call(element, name)
  const id = get('id')
  const classes = id
    ? ''
    : (get('class') ?? '')
        .trim()
        .split(/\s+/, 3)
        .filter(Boolean)
        .map((it) => `.${it}`)
        .join('')
  const names = isUnmasked(element, unmask) ? [...plain, ...personal] : plain
  const attributes = names.map((name) => {
    const value = get(name)
    return value ? `[${name}="${value}"]` : ''
  })
  return element.localName + (id ? `#${id}` : '') + classes + attributes.join('')
}

function isUnmasked(element: Element, unmask: string | undefined): boolean {
  try {
    return element.closest(unmask ? `${unmaskSelector},${unmask}` : unmaskSelector) !== null
  } catch {
    return false
  }
}

/** Out of a shadow root through its host. */
function parentOf(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null
}
