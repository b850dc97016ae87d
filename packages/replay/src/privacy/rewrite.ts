import { cleanAddress } from '@afterimage/browser/clean-address'
import { fixedMask } from '../limits.ts'
import * as kinds from '../recording/kinds.ts'
import type { EmittedData, EmittedEvent, Mirror, SerializedNode } from '../recording/rrweb.ts'
import { cleanSheet, maskAttributes } from './attributes.ts'
import type { AttributeRules } from './attributes.ts'
import { isReadable, isSecret } from './mask.ts'
import type { Masks } from './mask.ts'

export interface Rewriter {
  /** Rewrites an emitted event in place; nothing of it may be kept before. One pass, no copies. */
  (event: EmittedEvent): void
}

/**
 * The last word on what is recorded. rrweb masks texts and typed inputs through the hooks of
 * `mask.ts`; this pass masks attributes and addresses, and what rrweb's hooks do not see: text right
 * inside of a shadow root, values of radios, style rules.
 *
 * `onRoot` is told of shadow hosts and documents of frames that appear in events.
 */
export function createRewriter(
  masks: Masks,
  mirror: Mirror,
  keepQuery: readonly string[] | undefined,
  onRoot: (node: Node) => void,
): Rewriter {
  const elementOf = (id: number): Element | null => {
    const node = mirror.getNode(id)
    return node?.nodeType === 1 ? (node as Element) : null
  }
  const rules: AttributeRules = { masks, keepQuery, elementOf }
  const sheet = (text: string): string => cleanSheet(text, keepQuery)

  function rewriteNode(node: SerializedNode, isInStyle: boolean): void {
    const { type, attributes, childNodes } = node
    if (type === 3) {
      const text = node.textContent ?? ''
      if (isInStyle) node.textContent = sheet(text)
      else if (isReadable(text)) node.textContent = textOf(node.id, text)
      return
    }
    if (attributes !== undefined) maskAttributes(attributes, node.id, node.isSVG, rules)
    if (node.isShadowHost || type === 0) {
      const live = mirror.getNode(node.id)
      if (live) onRoot((live as Element).shadowRoot ?? live)
    }
    const isStyle = node.tagName === 'style'
    for (const child of childNodes ?? []) rewriteNode(child, isStyle)
  }

  /** Text that is still readable: shown on purpose, or not seen by rrweb's hook. */
  function textOf(id: number, text: string): string {
    const node = mirror.getNode(id)
    const parent = node?.parentNode as (ParentNode & Partial<ShadowRoot>) | null | undefined
    return masks.text(text, node?.parentElement ?? parent?.host)
  }

  function isStyle(id: number): boolean {
    return elementOf(id)?.localName === 'style'
  }

  function rewriteMutation({ adds = [], texts = [], attributes = [] }: EmittedData): void {
    for (const { node, parentId } of adds) rewriteNode(node, node.type === 3 && isStyle(parentId))
    for (const text of texts) {
      if (!text.value || !isReadable(text.value)) continue
      const parent = mirror.getNode(text.id)?.parentElement
      text.value = parent?.localName === 'style' ? sheet(text.value) : textOf(text.id, text.value)
    }
    for (const { id, attributes: changed } of attributes) {
      const element = elementOf(id)
      maskAttributes(changed, id, element !== null && 'ownerSVGElement' in element, rules)
    }
  }

  return ({ type, data }) => {
    const { source } = data
    if (type === kinds.meta) data.href = cleanAddress(data.href ?? '', keepQuery)
    else if (type === kinds.fullSnapshot && data.node) rewriteNode(data.node, false)
    else if (type !== kinds.incremental) return
    else if (source === kinds.mutation) rewriteMutation(data)
    else if (source === kinds.input) maskInput(data, masks, elementOf(data.id ?? -1))
    else cleanRules(data, sheet)
  }
}

/** Radios and checkboxes come with the value of their attribute. */
function maskInput(data: EmittedData, masks: Masks, element: Element | null): void {
  if (data.text && (!element || isSecret(element) || !masks.isUnmasked(element))) {
    data.text = fixedMask
  }
}

/** Of style sheets; other events have no members of these names. */
function cleanRules(data: EmittedData, sheet: (text: string) => string): void {
  for (const added of [...(data.adds ?? []), ...(data.styles ?? []).flatMap((it) => it.rules)]) {
    if (added.rule) added.rule = sheet(added.rule)
  }
  if (data.replace) data.replace = sheet(data.replace)
  if (data.replaceSync) data.replaceSync = sheet(data.replaceSync)
  if (data.set?.value) data.set.value = sheet(data.set.value)
}
