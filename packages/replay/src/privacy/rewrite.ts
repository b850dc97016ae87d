import { cleanAddress } from '@afterimage/browser/clean-address'
import { fixedMask } from '../limits.ts'
import * as kinds from '../recording/kinds.ts'
import type { EmittedData, EmittedEvent, Mirror, SerializedNode } from '../recording/rrweb.ts'
import { cleanSheet, maskAttributes } from './attributes.ts'
import type { AttributeRules } from './attributes.ts'
import { stars, withoutCards } from './mask.ts'
import type { Masks } from './mask.ts'
import { createShown } from './shown.ts'

export interface Rewriter {
  /** Rewrites an emitted event in place; nothing of it may be kept before. */
  (event: EmittedEvent): void
}

/**
 * The last word on what is recorded. rrweb masks typed inputs through the hook of `mask.ts`; this
 * pass masks texts, attributes and addresses, and what rrweb's hook does not see: values of radios,
 * style rules.
 *
 * `onRoot` is told of shadow hosts and documents of frames that appear in events.
 */
export function createRewriter(
  masks: Masks,
  mirror: Mirror,
  keepQuery: readonly string[] | undefined,
  onRoot: (node: Node) => void,
): Rewriter {
  const shown = createShown(masks, mirror)
  const pass: Pass = { keepQuery, shown, mirror, onRoot }

  function rewriteMutation({ adds = [], texts = [], attributes = [] }: EmittedData): void {
    shown.expect(adds.length + texts.length + attributes.length)
    for (const added of adds) {
      added.node = rewriteNode(pass, added.node, isInStyle(mirror, added.node.id))
    }
    for (const text of texts) {
      if (text.value) text.value = textOf(pass, text.id, text.value, isInStyle(mirror, text.id))
    }
    for (const { id, attributes: changed } of attributes) {
      const { ownerSVGElement } = (mirror.getNode(id) ?? {}) as Partial<SVGElement>
      maskAttributes(changed, id, ownerSVGElement !== undefined, pass)
    }
  }

  // Only a page's description has an address, and only a snapshot one node.
  return ({ data }) => {
    const { source, href, node } = data
    shown.expect(0)
    if (href) data.href = cleanAddress(href, keepQuery)
    else if (node) {
      shown.expect(Infinity)
      data.node = rewriteNode(pass, node, false)
    } else if (source === kinds.mutation) rewriteMutation(data)
    else if (source === kinds.input) {
      // Radios and checkboxes come with the value of their attribute.
      if (data.text && !shown.value(data.id!)) data.text = fixedMask
    } else cleanRules(data, (text) => cleanSheet(text, keepQuery))
  }
}

/** What one pass over an event works with. */
interface Pass extends AttributeRules {
  readonly mirror: Mirror
  readonly onRoot: (node: Node) => void
}

function rewriteNode(pass: Pass, given: SerializedNode, isInStyle: boolean): SerializedNode {
  // An element may become a host after it was recorded.
  if (given.isShadow) pass.shown.addRoot()
  if (given.type === 3) {
    given.textContent = textOf(pass, given.id, given.textContent!, isInStyle)
    return given
  }
  // A copy, as what something was deleted from, which rrweb does with each element, is a slow object,
  // and one of them makes `JSON.stringify` take twice the time for all of a snapshot.
  const { type, id, tagName, childNodes, isSVG, isShadowHost, isShadow, isCustom, rootId } = given
  let { attributes } = given
  if (isShadowHost || type === 0) {
    const live = pass.mirror.getNode(id)
    if (live && live !== document) {
      pass.shown.addRoot()
      pass.onRoot((live as Element).shadowRoot ?? live)
    }
  }
  for (let index = 0; index < (childNodes?.length ?? 0); index++) {
    childNodes![index] = rewriteNode(pass, childNodes![index]!, tagName === 'style')
  }
  if (!attributes) return given
  if (deletedFrom.test(tagName!)) attributes = { ...attributes }
  maskAttributes(attributes, id, isSVG, pass)
  return {
    type,
    id,
    tagName,
    childNodes,
    isSVG,
    isShadowHost,
    isShadow,
    isCustom,
    rootId,
    attributes,
  }
}

function textOf({ shown, keepQuery }: Pass, id: number, text: string, isInStyle: boolean): string {
  if (isInStyle) return cleanSheet(text, keepQuery)
  const masked = stars(text)
  return masked !== text && shown.text(id) ? withoutCards(text) : masked
}

function isInStyle(mirror: Mirror, id: number): boolean {
  return mirror.getNode(id)?.parentElement?.localName === 'style'
}

/** From whose attributes rrweb deletes some. */
const deletedFrom = /^(link|opt|ifr)/

/** Of style sheets; other events have no members of these names. */
function cleanRules(data: EmittedData, sheet: (text: string) => string): void {
  for (const added of [...(data.adds ?? []), ...(data.styles ?? []).flatMap((it) => it.rules)]) {
    if (added.rule) added.rule = sheet(added.rule)
  }
  if (data.replace) data.replace = sheet(data.replace)
  if (data.replaceSync) data.replaceSync = sheet(data.replaceSync)
  if (data.set?.value) data.set.value = sheet(data.set.value)
}
