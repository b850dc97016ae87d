export interface OutlineLine {
  readonly depth: number
  readonly text: string
}

/** Lines of an outline; a larger page is cut. */
export const outlineLinesMax = 2_000

/** A document as lines: `<button#pay.primary>`, and the text in it. Style sheets are named, not printed. */
export function outlineOf(root: Element | null): readonly OutlineLine[] {
  const lines: OutlineLine[] = []
  const waiting: { node: Node; depth: number }[] = root === null ? [] : [{ node: root, depth: 0 }]
  while (waiting.length > 0 && lines.length < outlineLinesMax) {
    const { node, depth } = waiting.pop() as { node: Node; depth: number }
    if (node.nodeType === 3) {
      const text = (node.textContent ?? '').trim()
      if (text !== '') lines.push({ depth, text: text.slice(0, 200) })
      continue
    }
    if (node.nodeType !== 1) continue
    const element = node as Element
    lines.push({ depth, text: openingOf(element) })
    if (element.localName === 'style') continue
    for (const child of [...element.childNodes].reverse())
      waiting.push({ node: child, depth: depth + 1 })
  }
  return lines
}

function openingOf(element: Element): string {
  const id = element.id === '' ? '' : `#${element.id}`
  const names = [...element.classList].slice(0, 4).map((name) => `.${name}`)
  const shown = ['type', 'name', 'role', 'aria-label', 'value']
    .map((name) => [name, element.getAttribute(name)] as const)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ` ${name}="${value?.slice(0, 80)}"`)
  return `<${element.localName}${id}${names.join('')}${shown.join('')}>`
}
