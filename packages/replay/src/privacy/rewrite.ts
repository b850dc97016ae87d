import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { fixedMask } from '../limits.ts'
import * as kinds from '../recording/kinds.ts'
import type { EmittedEvent, Mirror, SerializedNode } from '../recording/rrweb.ts'
import { maskAttributes } from './attributes.ts'
import type { AttributeRules } from './attributes.ts'
import { betweenChoices, stars } from './mask.ts'
import type { Masks } from './mask.ts'
import { createShown } from './shown.ts'
import { cleanDeclaration, cleanStyle } from './styles.ts'

export interface Rewriter {
  /** Rewrites an emitted event in place, before it is kept. */
  (event: EmittedEvent): void
}

/**
 * Masks every recorded event before it is kept. rrweb masks typed inputs through the hook of
 * `mask.ts`; this pass masks texts, attributes and addresses, and what that hook does not see:
 * values of radios, style rules.
 *
 * `onHost` is called with shadow hosts that appear in events.
 */
export function createRewriter(
  masks: Masks,
  mirror: Mirror,
  keepQuery: readonly string[] | undefined,
  onHost: (host: Element) => void,
): Rewriter {
  const shown = createShown(masks, mirror)
  const cleanSheet = (sheet: string): string => cleanStyle(sheet, keepQuery, shown.sheets())
  const pass: Pass = { keepQuery, shown, cleanSheet, mirror, onHost }

  // Only the page's description has an address, and only a snapshot has a single node.
  return ({ data }) => {
    const { source, href, node } = data
    if (href) data.href = cleanAddress(href, keepQuery)
    else if (node) {
      data.focus = mirror.getId(document.activeElement)
      data.node = rewriteNode(pass, node)
    } else if (source === kinds.mutation) {
      const { adds = [], texts = [], attributes = [] } = data
      for (const it of attributes) shown.see(it.attributes)
      for (const added of adds) added.node = rewriteNode(pass, added.node)
      for (const it of attributes) maskAttributes(it.attributes, it.id, pass)
      for (const text of texts) {
        if (text.value) text.value = textOf(pass, text.id, text.value)
      }
    } else if (source === kinds.input) {
      // Values of radios and checkboxes are those of their attribute.
      const { text, id = 0 } = data
      if (text) data.text = shown.value(id) ? shown.show(text) : fixedMask
      if (data.text?.includes(betweenChoices)) data.values = data.text.split(betweenChoices)
    } else {
      // Changes of style rules; other events have no members of these names.
      const { adds = [], styles = [], set } = data
      for (const it of [data, ...adds, ...styles.flatMap(({ rules }) => rules)]) {
        for (const name of ['rule', 'replace', 'replaceSync'] as const) {
          if (it[name]) it[name] = cleanSheet(it[name])
        }
      }
      if (set?.value) set.value = cleanDeclaration(set.property, set.value, cleanSheet)
    }
  }
}

/** The state of one pass over an event. */
interface Pass extends AttributeRules {
  readonly mirror: Mirror
  readonly onHost: (host: Element) => void
}

function rewriteNode(pass: Pass, given: SerializedNode): SerializedNode {
  if (given.type === 3) {
    given.textContent = textOf(pass, given.id, given.textContent!)
    return given
  }
  // Objects that had members deleted, as rrweb does, are slow in V8: one of them doubles the time
  // that `JSON.stringify` takes for a whole snapshot.
  const { type, id, tagName, childNodes, isSVG, isShadowHost, isShadow, isCustom, rootId } = given
  let { attributes } = given
  const node = pass.mirror.getNode(id) as HTMLStyleElement | null
  if (node && isShadowHost) pass.onHost(node)
  if (attributes) pass.shown.see(attributes)
  childNodes?.forEach((child, index) => (childNodes[index] = rewriteNode(pass, child)))
  if (!attributes) return given
  if (deletedFrom.includes(tagName!)) attributes = { ...attributes }
  maskAttributes(attributes, id, pass)
  // Inside of `:is`, since browsers without popovers do not know the name.
  if (attributes['popover'] !== undefined && node?.matches(':is(:popover-open)')) {
    attributes['rr_popover'] = 'open'
  }
  if (attributes['_cssText'] && node?.sheet?.disabled) attributes['rr_sheet_off'] = true
  // A blocked drawing without a size, such as a hidden sprite, would still make a line.
  if (tagName === 'svg' && attributes['rr_width'] === '0px') attributes['style'] = 'display:none'
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

function textOf({ shown, cleanSheet, mirror }: Pass, id: number, text: string): string {
  // Sheets have braces; the document is asked for few other texts.
  if (text.includes('{') && mirror.getNode(id)?.parentElement?.localName === 'style') {
    return cleanSheet(text)
  }
  const masked = stars(text)
  return masked !== text && shown.text(id) ? shown.show(text, id) : masked
}

/** Elements from which rrweb deletes attributes. */
const deletedFrom = ['link', 'option', 'iframe']
