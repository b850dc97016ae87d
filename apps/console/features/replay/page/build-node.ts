import { fieldsOf, listOf, numberOf, textOf, type Fields } from '../timeline/recorded.ts'
import { applyAttribute } from './apply-attribute.ts'
import { cleanAttributes, isEmptied } from './clean-attributes.ts'
import { doctypeNameOf, namespaceOf, svgNameOf, tagNameOf } from './names.ts'
import type { PageParts } from './page-parts.ts'

/** The numbers by which a recording tells kinds of nodes apart. */
export const nodeType = { document: 0, doctype: 1, element: 2, text: 3, cdata: 4 } as const

/** Deeper nodes are not drawn: browsers lay pages out by recursion, and their own parsers stop at 512. */
const depthMax = 1_000

interface Waiting {
  readonly recorded: Fields
  readonly parent: Node
  readonly depth: number
}

/**
 * Builds a recorded node and its descendants, for a place in `parent`, without inserting it. It uses a
 * list instead of recursion, since the sender chooses the depth. Null when the node cannot be built.
 */
export function buildTree(recorded: Fields, parent: Node, page: PageParts): Node | null {
  const root = buildNode(recorded, parent, page)
  if (root === null) return null
  const waiting: Waiting[] = childrenOf(recorded, root, 1)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const container = containerOf(next.recorded, next.parent)
    const node = container === null ? null : buildNode(next.recorded, container, page)
    if (node === null || container === null) continue
    container.appendChild(node)
    if (next.depth < depthMax) waiting.push(...childrenOf(next.recorded, node, next.depth + 1))
  }
  return root
}

/** The children to build, the first one last: they are taken from the end. */
function childrenOf(recorded: Fields, parent: Node, depth: number): Waiting[] {
  if (parent.nodeType !== 1 || isEmptied(parent.nodeName.toLowerCase())) return []
  return listOf(recorded['childNodes'])
    .map((child) => ({ recorded: fieldsOf(child), parent, depth }))
    .reverse()
}

/** Returns the target of a recorded child: its parent, or the parent's shadow root. */
export function containerOf(recorded: Fields, parent: Node): Node | null {
  if (recorded['isShadow'] !== true || parent.nodeType !== 1) return parent
  return shadowOf(parent as Element)
}

function shadowOf(host: Element): ShadowRoot | null {
  if (host.shadowRoot !== null) return host.shadowRoot
  try {
    return host.attachShadow({ mode: 'open' })
  } catch {
    return null // An element that cannot have one.
  }
}

function buildNode(recorded: Fields, parent: Node, page: PageParts): Node | null {
  const doc = parent.ownerDocument ?? (parent as Document)
  const node = nodeOf(recorded, parent, doc, page)
  const id = numberOf(recorded['id'])
  if (node === null || id === null) return node
  page.nodes.add(id, node)
  if (node.nodeType === 1) afterElement(node as HTMLElement, id, recorded, page)
  return node
}

function nodeOf(recorded: Fields, parent: Node, doc: Document, page: PageParts): Node | null {
  const text = typeof recorded['textContent'] === 'string' ? recorded['textContent'] : ''
  switch (recorded['type']) {
    case nodeType.doctype:
      if (parent !== doc) return null
      return doc.implementation.createDocumentType(
        doctypeNameOf(recorded['name']),
        textOf(recorded['publicId']) ?? '',
        textOf(recorded['systemId']) ?? '',
      )
    case nodeType.element:
      return elementOf(recorded, parent, doc)
    case nodeType.text:
      return textNodeOf(text, parent, doc, page)
    case nodeType.cdata:
      return doc.createTextNode(text)
    case nodeType.document:
      return null
    default:
      return doc.createComment('')
  }
}

function elementOf(recorded: Fields, parent: Node, doc: Document): Element {
  const attributes = fieldsOf(recorded['attributes'])
  const tag = tagNameOf(recorded['tagName'])
  const isSheet = tag.toLowerCase() === 'link' && typeof attributes['_cssText'] === 'string'
  const namespace = namespaceOf(tag, recorded['isSVG'] === true, parent)
  const name = recorded['isSVG'] === true ? svgNameOf(tag) : isSheet ? 'style' : tag
  return doc.createElementNS(namespace, namespace.endsWith('xhtml') ? name.toLowerCase() : name)
}

/** True for an element whose text is CSS. */
export function isStyle(node: Node): boolean {
  return node.nodeType === 1 && (node as Element).localName === 'style'
}

/** A style sheet's text is given with the element; the nodes that held it take their share of it. */
function textNodeOf(text: string, parent: Node, doc: Document, page: PageParts): Text {
  if (!isStyle(parent)) return doc.createTextNode(text)
  const share = page.styleTexts.get(parent)?.shift()
  return doc.createTextNode(share ?? page.css(text))
}

function afterElement(element: HTMLElement, id: number, recorded: Fields, page: PageParts): void {
  const tag = tagNameOf(recorded['tagName']).toLowerCase()
  page.tags.set(element, tag)
  const attributes = cleanAttributes(tag, fieldsOf(recorded['attributes']))
  for (const [name, value] of Object.entries(attributes)) {
    if (name === '_cssText') giveStyleText(element, value, recorded, page)
    else applyAttribute(element, name, value, page)
  }
  if (recorded['isShadowHost'] === true) shadowOf(element)
  if (recorded['isCustom'] === true) page.define(element.localName)
  page.built(element, id)
}

function giveStyleText(element: Element, value: unknown, recorded: Fields, page: PageParts): void {
  if (typeof value !== 'string') return
  const texts = value.split('/* rr_split */')
  const count = listOf(recorded['childNodes']).length
  if (count === 0) {
    element.textContent = page.css(texts.join(''))
    return
  }
  const shares = [...texts.slice(0, count - 1), texts.slice(count - 1).join('')]
  page.styleTexts.set(element, shares.map(page.css))
}
