import { fieldsOf, listOf, numberOf, type Fields } from '../timeline/recorded.ts'
import { applyAttribute } from './apply-attribute.ts'
import { buildTree, containerOf, isStyle, nodeType } from './build-node.ts'
import { cleanAttributes } from './clean-attributes.ts'
import type { PageParts } from './page-parts.ts'

/** Applies one recorded change of the tree: removals, additions, texts, attributes, in that order. */
export function applyMutation(data: Fields, page: PageParts): void {
  for (const removed of listOf(data['removes'])) removeNode(fieldsOf(removed), page)
  addNodes(listOf(data['adds']).map(fieldsOf), page)
  for (const changed of listOf(data['texts'])) changeText(fieldsOf(changed), page)
  for (const changed of listOf(data['attributes'])) changeAttributes(fieldsOf(changed), page)
}

function removeNode(removed: Fields, page: PageParts): void {
  const node = page.nodes.get(removed['id'])
  if (node === null) return
  page.nodes.forget(node)
  node.parentNode?.removeChild(node)
}

/**
 * Adds nodes in an order in which each finds its parent and the sibling that it stands before: a recording
 * lists them in any. One whose sibling never comes is put last.
 */
function addNodes(adds: readonly Fields[], page: PageParts): void {
  const waiting = new Map<number, Fields[]>()
  const ready = [...adds].reverse()
  const settleReady = () => {
    for (let added = ready.pop(); added !== undefined; added = ready.pop()) {
      const missing = missingFor(added, page)
      if (missing === null) ready.push(...insert(added, page, waiting))
      else waiting.set(missing, [...(waiting.get(missing) ?? []), added])
    }
  }
  settleReady()
  for (const added of [...waiting.values()].flat()) {
    if (page.nodes.get(added['parentId']) === null) continue
    ready.push({ ...added, nextId: null })
    settleReady()
  }
}

/** The id that must be there first; null when nothing is missing. */
function missingFor(added: Fields, page: PageParts): number | null {
  for (const name of ['parentId', 'nextId']) {
    const id = numberOf(added[name])
    if (id !== null && id > 0 && page.nodes.get(id) === null) {
      // The document of a frame that has not arrived is kept for it.
      if (name === 'parentId' && fieldsOf(added['node'])['type'] === nodeType.document) return null
      return id
    }
  }
  return null
}

/** Inserts one node. Returns the nodes that waited for it. */
function insert(added: Fields, page: PageParts, waiting: Map<number, Fields[]>): Fields[] {
  const recorded = fieldsOf(added['node'])
  const id = numberOf(recorded['id'])
  try {
    insertNode(added, recorded, page)
  } catch {
    // An impossible tree: a node inside of its own child, or two root elements.
  }
  const released = (id === null ? null : waiting.get(id)) ?? []
  if (id !== null) waiting.delete(id)
  return page.nodes.get(id) === null ? [] : [...released].reverse()
}

function insertNode(added: Fields, recorded: Fields, page: PageParts): void {
  const parentId = numberOf(added['parentId'])
  if (recorded['type'] === nodeType.document) {
    if (parentId !== null) page.framed.set(parentId, recorded)
    page.openFrames()
    return
  }
  const parent = page.nodes.get(parentId)
  const container = parent === null ? null : containerOf(recorded, parent)
  if (container === null) return
  const former = page.nodes.get(recorded['id'])
  if (former !== null) removeNode(recorded, page)
  if (takesText(recorded, container, page)) return
  makeRoom(recorded, container)
  const node = buildTree(recorded, container, page)
  if (node === null) return
  container.insertBefore(node, siblingAfter(added, container, page))
  page.openFrames()
}

function siblingAfter(added: Fields, container: Node, page: PageParts): Node | null {
  const next = page.nodes.get(added['nextId'])
  if (next?.parentNode === container) return next
  const previous = page.nodes.get(added['previousId'])
  return previous?.parentNode === container ? previous.nextSibling : null
}

/** The text node of an element that came with its text takes the place of the node that we made. */
function takesText(recorded: Fields, container: Node, page: PageParts): boolean {
  const only = container.childNodes.length === 1 ? container.firstChild : null
  const id = numberOf(recorded['id'])
  if (recorded['type'] !== nodeType.text || id === null || only?.nodeType !== 3) return false
  if (page.nodes.idOf(only) !== null) return false
  if (container.nodeName === 'TEXTAREA') container.removeChild(only)
  else if (isStyle(container)) page.nodes.add(id, only)
  return isStyle(container)
}

/** Replaces a document's only root or type by the recorded one. */
function makeRoom(recorded: Fields, container: Node): void {
  if (container.nodeType !== 9) return
  const doc = container as Document
  if (recorded['type'] === nodeType.doctype) doc.doctype?.remove()
  if (recorded['type'] === nodeType.element) doc.documentElement?.remove()
}

function changeText(changed: Fields, page: PageParts): void {
  const node = page.nodes.get(changed['id'])
  const value = changed['value']
  if (node === null || (typeof value !== 'string' && value !== null)) return
  const isCss = node.parentNode !== null && isStyle(node.parentNode)
  node.textContent = isCss && value !== null ? page.css(value) : value
}

function changeAttributes(changed: Fields, page: PageParts): void {
  const element = page.nodes.element(changed['id'])
  if (element === null) return
  const tag = page.tags.get(element) ?? element.localName
  const attributes = cleanAttributes(tag, fieldsOf(changed['attributes']))
  for (const [name, value] of Object.entries(attributes)) {
    if (name === '_cssText') changeStyleText(element, value, page)
    else applyAttribute(element, name, value, page)
  }
}

/** Another text of a whole sheet; its text nodes stay known, the first one holds it. */
function changeStyleText(element: Element, value: unknown, page: PageParts): void {
  if (typeof value !== 'string') return
  const text = page.css(value.replaceAll('/* rr_split */', ''))
  const [first, ...others] = [...element.childNodes].filter((child) => child.nodeType === 3)
  for (const other of others) other.textContent = ''
  if (first === undefined) element.textContent = text
  else first.textContent = text
}
