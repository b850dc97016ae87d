import { expect, test } from 'vitest'
import { styledMax } from '../limits.ts'
import type { EmittedEvent, SerializedNode } from '../recording/rrweb.ts'
import { createMasks } from './mask.ts'
import { createRewriter } from './rewrite.ts'
import type { Rewriter } from './rewrite.ts'

const mirror = { getId: () => -1, getNode: () => null, removeNodeFromMap: () => undefined }
const selectors = { unmask: '.shown', mask: '.hidden', block: 'img', ignore: '.ignored' }

const rewriter = (): Rewriter =>
  createRewriter(createMasks(selectors), mirror, undefined, () => undefined)

function rewritten(node: SerializedNode, rewrite = rewriter()): SerializedNode {
  const event: EmittedEvent = { type: 2, timestamp: 0, data: { node } }
  rewrite(event)
  return event.data.node!
}

const element = (more: Partial<SerializedNode>): SerializedNode => ({
  type: 2,
  id: 2,
  tagName: 'p',
  attributes: {},
  childNodes: [],
  ...more,
})

test('all that rrweb says of an element stays, but for what is masked', () => {
  const kept = { isSVG: true, isShadowHost: true, isShadow: true, isCustom: true, rootId: 7 }
  const attributes = { class: 'a', title: 'Bob', onclick: 'pay()', href: '/a?b=bob' }
  const text: SerializedNode = { type: 3, id: 3, textContent: 'Bob 7', rootId: 7 }
  const given = element({ ...kept, tagName: 'x-card', attributes, childNodes: [text] })
  expect(JSON.parse(JSON.stringify(rewritten(given)))).toEqual({
    ...kept,
    type: 2,
    id: 2,
    tagName: 'x-card',
    attributes: { class: 'a', title: '***', href: '/a?b=*' },
    childNodes: [{ type: 3, id: 3, textContent: '*** *', rootId: 7 }],
  })
})

test('text of a node that nobody knows is masked', () => {
  const text: SerializedNode = { type: 3, id: 3, textContent: 'Bob' }
  expect(rewritten(element({ childNodes: [text] })).childNodes).toMatchObject([
    { textContent: '***' },
  ])
})

test('what attributes were deleted from is copied', () => {
  const attributes = { class: 'a', selected: true }
  const given = element({ tagName: 'option', attributes })
  const { attributes: own } = rewritten(given)
  expect(own).toEqual(attributes)
  expect(own).not.toBe(attributes)
})

const sheet = "a::after{content:'Bob'}"
const cleaned = "a::after{content:'***'}"
const masked = sheet.replace(/\S/g, '*')

/** What becomes of a sheet as a text that is added, and then of a change of that text. */
function followed(rewrite: Rewriter, parentId: number, id: number): unknown[] {
  const node: SerializedNode = { type: 3, id, textContent: sheet }
  const adds = [{ parentId, node }]
  rewrite({ type: 3, timestamp: 0, data: { source: 0, adds } })
  const texts = [{ id, value: sheet }]
  rewrite({ type: 3, timestamp: 0, data: { source: 0, texts } })
  return [adds[0]!.node.textContent, texts[0]!.value]
}

test('of a style sheet that changes only the words are masked, of everything else all is', () => {
  const rewrite = rewriter()
  const style = element({ tagName: 'style', id: 5 })
  rewritten(element({ childNodes: [style, element({ id: 6 })] }), rewrite)
  expect(followed(rewrite, 5, 7)).toEqual([cleaned, cleaned])
  expect(followed(rewrite, 6, 8)).toEqual([masked, masked])
  // Moved out of the style sheet.
  expect(followed(rewrite, 6, 7)).toEqual([masked, masked])
  // A new snapshot, without it.
  rewritten(element({}), rewrite)
  expect(followed(rewrite, 5, 9)).toEqual([masked, masked])
})

test('style sheets beyond those that are remembered are masked when they change', () => {
  const rewrite = rewriter()
  const style = (id: number): SerializedNode => element({ tagName: 'style', id })
  const styles = Array.from({ length: styledMax + 1 }, (_, index) => style(index))
  rewritten(element({ id: -1, childNodes: styles }), rewrite)
  expect(followed(rewrite, styledMax - 1, -2)[0]).toBe(cleaned)
  expect(followed(rewrite, styledMax, -3)[0]).toBe(masked)
})
