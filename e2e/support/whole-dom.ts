/**
 * All that can be seen of a document as text: nodes, attributes, values, shadow roots, frames, rules of sheets,
 * scrolls. Two pictures are the same when these are. Runs inside of pages: it must not refer to anything else.
 */
export function wholeDom(root: Document): string {
  const lines: string[] = []
  function addRules(sheets: Iterable<CSSStyleSheet>, indent: string): void {
    for (const sheet of sheets) {
      const rules = [...sheet.cssRules].map((rule) => rule.cssText)
      lines.push(`${indent}sheet ${sheet.disabled} ${rules.join(' ')}`)
    }
  }
  function visit(node: Node, depth: number): void {
    const indent = ' '.repeat(depth)
    if (node.nodeType === 3) lines.push(`${indent}"${node.nodeValue}"`)
    if (node.nodeType === 10) lines.push(`${indent}<!doctype ${node.nodeName}>`)
    if (node.nodeType === 9 || node.nodeType === 11) {
      addRules((node as Document).adoptedStyleSheets, indent)
    }
    if (node.nodeType === 1) visitElement(node as Element, indent, depth)
    node.childNodes.forEach((child) => visit(child, depth + 1))
  }
  function visitElement(element: Element, indent: string, depth: number): void {
    const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`).sort()
    const { value, checked, sheet, scrollTop, scrollLeft } = element as HTMLInputElement & {
      sheet?: CSSStyleSheet
    }
    const own = [`${element.namespaceURI?.slice(-6)}:${element.localName}`, ...attributes]
    if (typeof value === 'string') own.push(`value ${value}`, `checked ${checked}`)
    const { selectedOptions } = element as HTMLSelectElement
    if (selectedOptions) own.push(`chosen ${[...selectedOptions].map((it) => it.index).join()}`)
    if (scrollTop + scrollLeft > 0) own.push(`at ${scrollLeft} ${scrollTop}`)
    for (const state of [':modal', ':popover-open']) if (element.matches(state)) own.push(state)
    lines.push(`${indent}<${own.join(' ')}>`)
    if (sheet) addRules([sheet], indent)
    if (element.shadowRoot) visit(element.shadowRoot, depth + 1)
    const framed = (element as HTMLIFrameElement).contentDocument
    if (framed) visit(framed, depth + 1)
  }
  visit(root, 0)
  const view = root.defaultView
  lines.push(`${root.compatMode} ${view?.scrollX} ${view?.scrollY} ${view?.innerWidth}`)
  return lines.join('\n')
}
