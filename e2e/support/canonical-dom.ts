/**
 * A document as text, so that a page and its replay can be compared. Runs inside of pages, so it
 * must not refer to anything outside of itself. `isOriginal` masks as a recording should be masked,
 * by rules of its own.
 */
export function canonicalDom(root: Document, isOriginal: boolean): string {
  const media = 'img,image,svg,video,object,picture,embed,map,audio,.afterimage-block'
  const shown = '.afterimage-unmask'
  const attributes = [
    'id',
    'class',
    'type',
    'name',
    'href',
    'title',
    'alt',
    'placeholder',
    'aria-label',
    'data-user',
    'for',
  ]
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs inside of the page
  const stars = (text: string): string => text.replace(/\S/g, '*')
  const lines: string[] = []

  function isShown(node: Node): boolean {
    for (let at: Node | null = node; at; at = at.parentNode ?? (at as ShadowRoot).host ?? null) {
      if (at.nodeType === 1 && (at as Element).matches(shown)) return true
    }
    return false
  }
  function show(node: Node, text: string): string {
    if (!isOriginal) return text
    return isShown(node) ? text.replace(/\d(?:[ -]?\d){11,18}/g, stars) : stars(text)
  }
  function valueOf(element: Element, name: string): string | null {
    const value =
      element
        .getAttribute(name)
        ?.replace(/^:hover$|:hover/g, '')
        .trim() || null
    if (value === null || !isOriginal) return value
    if (name === 'href') {
      const { origin, pathname, search } = new URL(value, root.baseURI)
      return origin + pathname + search.replace(/=[^&]*/g, '=*')
    }
    return /^(title|alt|placeholder|aria-|data-)/.test(name) ? show(element, value) : value
  }
  function visit(node: Node, depth: number): void {
    const indent = ' '.repeat(depth)
    if (node.nodeType === 3) {
      const text = show(node, node.nodeValue ?? '')
        .trim()
        .replace(/\s+/g, ' ')
      if (text !== '') lines.push(`${indent}"${text}"`)
      return
    }
    if (node.nodeType !== 1) return
    const element = node as HTMLElement & { value?: string; shadowRoot: ShadowRoot | null }
    const tag = element.localName
    if (tag === 'script' || tag === 'noscript' || tag === 'style') return
    if (
      element.matches(media) ||
      (!isOriginal && element.style.width && element.hasAttribute('rr_width'))
    ) {
      lines.push(`${indent}<${tag} ${element.getAttribute('class') ?? ''} blocked>`)
      return
    }
    const words = attributes.flatMap((name) => {
      const value = valueOf(element, name)
      return value === null ? [] : [`${name}=${value}`]
    })
    if (['input', 'textarea'].includes(tag) && element.value) {
      const isSecret =
        element.getAttribute('type') === 'password' ||
        element.getAttribute('autocomplete')?.startsWith('cc-')
      words.push(
        `value=${isOriginal && (isSecret || !isShown(element)) ? '********' : element.value}`,
      )
    }
    if ((element as unknown as HTMLInputElement).checked) words.push('checked')
    lines.push(`${indent}<${[tag, ...words].join(' ')}>`)
    if (element.shadowRoot) {
      lines.push(`${indent} #shadow`)
      element.shadowRoot.childNodes.forEach((child) => visit(child, depth + 2))
    }
    if (tag === 'iframe') {
      const inner = (element as unknown as HTMLIFrameElement).contentDocument
      if (inner?.body) visit(inner.body, depth + 1)
    }
    if (tag !== 'textarea') element.childNodes.forEach((child) => visit(child, depth + 1))
  }
  visit(root.body, 0)
  return lines.join('\n')
}
