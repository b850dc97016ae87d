import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { fixedMask } from '../limits.ts'
import * as kinds from '../recording/kinds.ts'
import type { EmittedData, EmittedEvent, Mirror, SerializedNode } from '../recording/rrweb.ts'
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
  const pass: Pass = { keepQuery, shown, mirror, onHost }

  function rewriteMutation({ adds = [], texts = [], attributes = [] }: EmittedData): void {
    for (const it of attributes) shown.see(it.attributes)
    for (const added of adds) added.node = rewriteNode(pass, added.node)
    for (const it of attributes) maskAttributes(it.attributes, it.id, pass)
    for (const text of texts) {
      if (text.value) text.value = textOf(pass, text.id, text.value)
    }
  }

  // Only the page's description has an address, and only a snapshot has a single node.
  return ({ data }) => {
    const { source, href, node } = data
    if (href) data.href = cleanAddress(href, keepQuery)
    else if (node) {
      data.focus = mirror.getId(document.activeElement)
      data.node = rewriteNode(pass, node)
    } else if (source === kinds.mutation) rewriteMutation(data)
    else if (source === kinds.input) {
      // Values of radios and checkboxes are those of their attribute.
      const { text, id = 0 } = data
      if (text) data.text = shown.value(id) ? shown.show(text) : fixedMask
      if (data.text?.includes(betweenChoices)) data.values = data.text.split(betweenChoices)
    } else cleanRules(data, pass)
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
  const host = isShadowHost && pass.mirror.getNode(id)
  if (host) pass.onHost(host as Element)
  if (attributes) pass.shown.see(attributes)
  for (let index = 0; index < (childNodes?.length ?? 0); index++) {
    childNodes![index] = rewriteNode(pass, childNodes![index]!)
  }
  if (!attributes) return given
  if (deletedFrom.includes(tagName!)) attributes = { ...attributes }
  maskAttributes(attributes, id, pass)
  if (attributes['popover'] !== undefined) {
    const popover = pass.mirror.getNode(id) as Element | null
    // Inside of `:is`, since browsers without popovers do not know the name.
    if (popover?.matches(':is(:popover-open)')) attributes['rr_popover'] = 'open'
  }
  if (
    attributes['_cssText'] &&
    (pass.mirror.getNode(id) as HTMLStyleElement | null)?.sheet?.disabled
  ) {
    attributes['rr_sheet_off'] = true
  }
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

function textOf({ shown, keepQuery, mirror }: Pass, id: number, text: string): string {
  // Sheets have braces; the document is asked for few other texts.
  if (text.includes('{') && mirror.getNode(id)?.parentElement?.localName === 'style') {
    return cleanStyle(text, keepQuery, shown.sheets())
  }
  const masked = stars(text)
  return masked !== text && shown.text(id) ? shown.show(text, id) : masked
}

/** Elements from which rrweb deletes attributes. */
const deletedFrom = ['link', 'option', 'iframe']

/** Cleans style rules; other events have no members of these names. */
function cleanRules(data: EmittedData, { keepQuery, shown }: Pass): void {
  const { adds = [], styles = [], set } = data
  const clean = (sheet: string): string => cleanStyle(sheet, keepQuery, shown.sheets())
  for (const it of [data, ...adds, ...styles.flatMap(({ rules }) => rules)]) {
    for (const name of ['rule', 'replace', 'replaceSync'] as const) {
      if (it[name]) it[name] = clean(it[name])
    }
  }
  if (set?.value) set.value = cleanDeclaration(set.property, set.value, keepQuery, shown.sheets())
}
