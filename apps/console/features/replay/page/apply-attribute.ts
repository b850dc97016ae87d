import { fieldsOf, numberOf } from '../timeline/recorded.ts'
import { chosenScheme } from './adapt-css.ts'
import type { PageParts } from './page-parts.ts'

/**
 * Sets one cleaned attribute as recorded: text, null for one that was removed, an object for changes of single
 * style properties. Names with `rr_` are the recorder's and say what no attribute does.
 */
export function applyAttribute(
  element: HTMLElement,
  name: string,
  value: unknown,
  page: PageParts,
): void {
  if (name.startsWith('rr_')) applyRecorded(element, name, value, page)
  else if (name === 'style' && typeof value === 'object' && value !== null) {
    applyStyleProperties(element, fieldsOf(value), page)
  } else if (value === null || value === false) element.removeAttribute(name)
  else applyText(element, name, value === true ? '' : String(value), page)
  if (name === 'open' || name === 'disabled') page.unsettled.add(element)
  if (element.localName === 'canvas') drawCanvasBox(element)
}

function applyText(element: HTMLElement, name: string, value: string, page: PageParts): void {
  if (name === 'value' && element.localName === 'textarea') element.textContent = value
  else if (name === 'xlink:href') {
    element.setAttributeNS('http://www.w3.org/1999/xlink', name, value)
  } else element.setAttribute(name, adaptValue(element, name, value, page))
}

function adaptValue(element: Element, name: string, value: string, page: PageParts): string {
  if (name === 'style' || name === 'media') return page.css(value)
  const isScheme = name === 'content' && element.localName === 'meta'
  return isScheme ? chosenScheme(value, page.media) : value
}

function applyStyleProperties(
  element: HTMLElement,
  changes: Readonly<Record<string, unknown>>,
  page: PageParts,
): void {
  for (const [property, value] of Object.entries(changes)) {
    if (value === false || value === null) element.style.removeProperty(property)
    else if (Array.isArray(value)) setProperty(element, property, value[0], value[1], page)
    else setProperty(element, property, value, undefined, page)
  }
}

function setProperty(
  element: HTMLElement,
  property: string,
  value: unknown,
  priority: unknown,
  page: PageParts,
): void {
  element.style.setProperty(
    property,
    adaptDeclaration(property, String(value), page.css),
    priority === 'important' ? 'important' : '',
  )
}

/** The value of one declaration, adapted as it would be in a sheet. */
export function adaptDeclaration(
  property: string,
  value: string,
  css: (text: string) => string,
): string {
  const prefix = `${property}:`
  const adapted = css(prefix + value)
  return adapted.startsWith(prefix) ? adapted.slice(prefix.length) : value
}

function applyRecorded(element: HTMLElement, name: string, value: unknown, page: PageParts): void {
  const id = page.nodes.idOf(element)
  const box = (id === null ? null : page.scrolled.get(id)) ?? { left: 0, top: 0 }
  switch (name) {
    case 'rr_width':
    case 'rr_height':
      element.style.setProperty(name.slice(3), String(value))
      break
    case 'rr_scrollLeft':
      if (id !== null) page.scrolled.set(id, { ...box, left: numberOf(value) ?? 0 })
      break
    case 'rr_scrollTop':
      if (id !== null) page.scrolled.set(id, { ...box, top: numberOf(value) ?? 0 })
      break
    case 'rr_dataURL':
      if (element.localName === 'img') element.setAttribute('src', String(value))
      else element.setAttribute('rr_dataurl', String(value))
      break
    case 'rr_open_mode':
    case 'rr_popover':
    case 'rr_sheet_off':
      if (value === null || value === false) element.removeAttribute(name)
      else element.setAttribute(name, String(value))
      page.unsettled.add(element)
      break
    default:
  }
}

/**
 * Browsers draw a canvas as an empty inline box where scripts are forbidden. An empty image of its size in its
 * place keeps the layout. Behind it stands what was recorded of the canvas, whatever the size of that picture is.
 */
function drawCanvasBox(canvas: HTMLElement): void {
  canvas.style.setProperty('content', `url("${emptyImage(canvas)}")`)
  const picture = canvas.getAttribute('rr_dataurl')
  if (picture === null) return
  const address = picture.replaceAll(/["\\\n]/g, '')
  const background = {
    'background-image': `url("${address}")`,
    'background-origin': 'content-box',
    'background-position': '0 0',
    'background-repeat': 'no-repeat',
    'background-size': '100% 100%',
  }
  for (const [name, value] of Object.entries(background)) {
    // Always last, whether the page changed its own style before or after.
    canvas.style.removeProperty(name)
    canvas.style.setProperty(name, value)
  }
}

function emptyImage(canvas: Element): string {
  const [width, height] = [sizeOf(canvas, 'width', 300), sizeOf(canvas, 'height', 150)]
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** A size as browsers read the attribute of a canvas: digits, else the default of the standard. */
function sizeOf(canvas: Element, name: string, fallback: number): number {
  const digits = /^\s*\+?(\d{1,6})/.exec(canvas.getAttribute(name) ?? '')?.[1]
  return digits === undefined ? fallback : Number(digits)
}
