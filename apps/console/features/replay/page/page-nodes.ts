/** Maps the nodes of a drawn page to the ids of its recording. */
export class PageNodes {
  readonly #byId = new Map<number, Node>()
  readonly #ids = new WeakMap<Node, number>()

  get(id: unknown): Node | null {
    return this.#byId.get(id as number) ?? null
  }

  element(id: unknown): HTMLElement | null {
    const node = this.get(id)
    return node?.nodeType === 1 ? (node as HTMLElement) : null
  }

  idOf(node: Node): number | null {
    return this.#ids.get(node) ?? null
  }

  add(id: number, node: Node): void {
    this.#byId.set(id, node)
    this.#ids.set(node, id)
  }

  /** Forgets a node and all that is in it: children, shadow roots, documents of frames. */
  forget(root: Node): void {
    const waiting: Node[] = [root]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const id = this.idOf(node)
      if (id !== null && this.#byId.get(id) === node) this.#byId.delete(id)
      waiting.push(...insideOf(node))
    }
  }
}

function insideOf(node: Node): Node[] {
  const inside: Node[] = [...node.childNodes]
  if (node.nodeType !== 1) return inside
  const shadow = (node as Element).shadowRoot
  if (shadow !== null) inside.push(shadow)
  const framed = node.nodeName === 'IFRAME' ? (node as HTMLIFrameElement).contentDocument : null
  if (framed !== null) inside.push(framed)
  return inside
}
