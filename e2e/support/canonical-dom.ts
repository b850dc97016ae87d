/**
 * A document as text, so that a page and its replay can be compared. `isOriginal` masks as a
 * recording should be masked, by rules of its own. These functions run inside of pages: together
 * they must not refer to anything else.
 */
export function canonicalDom(root: Document, isOriginal: boolean): string {
  const lines: string[] = []
  function visit(node: Node, depth: number): void {
    const indent = ' '.repeat(depth)
    if (node.nodeType === 3) {
      const text = canonicalText(node, node.nodeValue ?? '', isOriginal).trim()
      if (text !== '') lines.push(`${indent}"${text.replace(/\s+/g, ' ')}"`)
      return
    }
    if (node.nodeType !== 1) return
    const element = node as Element
    const tag = element.localName
    if (['script', 'noscript', 'style'].includes(tag)) return
    const line = canonicalElement(element, isOriginal)
    lines.push(indent + line)
    if (line.endsWith(' blocked>')) return
    if (element.shadowRoot) {
      lines.push(`${indent} #shadow`)
      element.shadowRoot.childNodes.forEach((child) => visit(child, depth + 2))
    }
    const inner = tag === 'iframe' ? (element as HTMLIFrameElement).contentDocument : null
    if (inner?.body) visit(inner.body, depth + 1)
    if (tag !== 'textarea') element.childNodes.forEach((child) => visit(child, depth + 1))
  }
  visit(root.body, 0)
  return lines.join('\n')
}

/** Text of a node as it should be recorded. */
export function canonicalText(node: Node, text: string, isOriginal: boolean): string {
  if (!isOriginal) return text
  let isShown = false
  for (let at: Node | null = node; at; at = at.parentNode ?? (at as ShadowRoot).host ?? null) {
    isShown ||= at.nodeType === 1 && (at as Element).matches('.afterimage-unmask')
  }
  return text.replace(isShown ? /\d(?:[ -]?\d){11,18}/g : /\S+/g, (part) =>
    part.replace(/\S/g, '*'),
  )
}

/** The opening tag of an element, with what is compared of it. */
export function canonicalElement(element: Element, isOriginal: boolean): string {
  const tag = element.localName
  const media = 'img,image,svg,video,object,picture,embed,map,audio,.afterimage-block'
  if (element.matches(media) || element.hasAttribute('rr_width')) {
    return `<${tag} ${element.getAttribute('class') ?? ''} blocked>`
  }
  const words: string[] = []
  for (const name of 'id,class,type,name,href,title,alt,placeholder,aria-label,data-user,for'.split(
    ',',
  )) {
    // The player marks what the pointer is on.
    const value = element
      .getAttribute(name)
      ?.replace(/:hover/g, '')
      .trim()
    if (!value) continue
    const isText = /^(title|alt|placeholder|aria-|data-)/.test(name)
    if (isText) words.push(`${name}=${canonicalText(element, value, isOriginal)}`)
    else if (name !== 'href' || !isOriginal) words.push(`${name}=${value}`)
    else {
      const { origin, pathname, search } = new URL(value, element.baseURI)
      words.push(`href=${origin}${pathname}${search.replace(/=[^&]*/g, '=*')}`)
    }
  }
  const { value, checked } = element as HTMLInputElement
  if (value && ['input', 'textarea'].includes(tag)) {
    const isSecret = element.matches('[type=password],[autocomplete^=cc-]')
    const isMasked = isOriginal && (isSecret || !element.closest('.afterimage-unmask'))
    words.push(`value=${isMasked ? '********' : value}`)
  }
  return `<${[tag, ...words].join(' ')}${checked ? ' checked' : ''}>`
}
