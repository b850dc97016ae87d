import { expect, test, vi } from 'vitest'
import type { EmittedEvent, SerializedNode } from '../recording/rrweb.ts'
import { createMasks } from './mask.ts'
import { createRewriter } from './rewrite.ts'

const mirror = { getId: () => -1, getNode: () => null, removeNodeFromMap: () => undefined }
const selectors = { unmask: '.shown', mask: '.hidden', block: 'img', ignore: '.ignored' }

/** In a document without anything to show, or with something. */
function rewritten(node: SerializedNode, found: object | null = null): SerializedNode {
  vi.stubGlobal('document', { querySelector: () => found })
  const event: EmittedEvent = { type: 2, timestamp: 0, data: { node } }
  createRewriter(createMasks(selectors), mirror, undefined, () => undefined)(event)
  vi.unstubAllGlobals()
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

test.each([null, {}])('text of a node that nobody knows is masked', (found) => {
  const text: SerializedNode = { type: 3, id: 3, textContent: 'Bob' }
  expect(rewritten(element({ childNodes: [text] }), found).childNodes).toMatchObject([
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
