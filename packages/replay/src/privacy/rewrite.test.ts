import { marked } from '@afterimage/sdk-core/describe-element'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Attributes, EmittedEvent, Mirror, SerializedNode } from '../recording/rrweb.ts'
import { betweenChoices, createMasks } from './mask.ts'
import { createRewriter } from './rewrite.ts'
import type { Secrets } from './secrets.ts'
import type { Rewriter } from './rewrite.ts'

const mirror = { getId: () => -1, getNode: () => null, removeNodeFromMap: () => undefined }
const selectors = {
  unmask: '.shown',
  mask: '.hidden',
  block: 'img',
  unblock: '',
  ignore: '.ignored',
}

const secrets: Secrets = {
  isSecret: () => false,
  typed: (text) => text,
  show: (text) => text,
  close: () => undefined,
}

beforeAll(() => void vi.stubGlobal('document', { body: null, activeElement: null }))
afterAll(() => void vi.unstubAllGlobals())

const rewriter = (known: Mirror = mirror): Rewriter =>
  createRewriter(createMasks({ selectors, secrets }), known, undefined, () => undefined)

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

test('an element keeps all members that rrweb records, apart from masked texts', () => {
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

test('the text of an unknown node is masked', () => {
  const text: SerializedNode = { type: 3, id: 3, textContent: 'Bob' }
  expect(rewritten(element({ childNodes: [text] })).childNodes).toMatchObject([
    { textContent: '***' },
  ])
})

test('attributes that rrweb deleted members from are copied', () => {
  const attributes = { class: 'a', selected: true }
  const given = element({ tagName: 'option', attributes })
  const { attributes: own } = rewritten(given)
  expect(own).toEqual(attributes)
  expect(own).not.toBe(attributes)
})

const sheet = "a::after{content:'Bob'}"
const cleaned = "a::after{content:'***'}"
const masked = sheet.replace(/\S/g, '*')

/** Adds `text` to an element of this name, then changes it to the same: returns both as recorded. */
function followed(parent: string, text: string): unknown[] {
  const parentElement = { localName: parent, getRootNode: () => document, closest: () => null }
  const known = { ...mirror, getNode: () => ({ parentElement }) as unknown as Node }
  const rewrite = rewriter(known)
  const node: SerializedNode = { type: 3, id: 7, textContent: text }
  const adds = [{ parentId: 5, node }]
  rewrite({ type: 3, timestamp: 0, data: { source: 0, adds } })
  const texts = [{ id: 7, value: text }]
  rewrite({ type: 3, timestamp: 0, data: { source: 0, texts } })
  return [adds[0]!.node.textContent, texts[0]!.value]
}

test('a style sheet keeps its rules and loses its words, wherever its text came from', () => {
  expect(followed('style', sheet)).toEqual([cleaned, cleaned])
  expect(followed('p', sheet)).toEqual([masked, masked])
})

test('a text of a style sheet without a rule is masked like any other', () => {
  expect(followed('style', "@import 'Bob'")).toEqual(['******* *****', '******* *****'])
})

test('a style sheet that has left the document is masked', () => {
  const text: SerializedNode = { type: 3, id: 3, textContent: sheet }
  const given = element({ tagName: 'style', childNodes: [text] })
  expect(rewritten(given).childNodes).toMatchObject([{ textContent: masked }])
})

/** Rewrites the members of an incremental event. */
function changed(data: EmittedEvent['data'], rewrite = rewriter()): EmittedEvent['data'] {
  const event: EmittedEvent = { type: 3, timestamp: 0, data }
  rewrite(event)
  return event.data
}

test('attributes that change are masked, and an empty text is left as it is', () => {
  const attributes = [{ id: 2, attributes: { title: 'Bob', class: 'a' } }]
  const texts = [{ id: 3, value: '' }]
  expect(changed({ source: 0, attributes, texts })).toEqual({
    source: 0,
    attributes: [{ id: 2, attributes: { title: '***', class: 'a' } }],
    texts: [{ id: 3, value: '' }],
  })
})

test('values of radios, which rrweb does not mask, are masked; an empty one stays', () => {
  expect(changed({ source: 5, id: 2, text: 'Bob' })).toMatchObject({ text: '********' })
  expect(changed({ source: 5, id: 2, text: '' })).toMatchObject({ text: '' })
})

test('the choices of a list are told one by one, unless they are masked', () => {
  const text = `Bob${betweenChoices}Eve`
  expect(changed({ source: 5, id: 2, text })).not.toHaveProperty('values')
  const field = {
    nodeType: 1,
    getRootNode: () => document,
    closest: (of: string) => of === '.shown',
  }
  const known = { ...mirror, getNode: () => field as unknown as Node }
  expect(changed({ source: 5, id: 2, text }, rewriter(known))).toMatchObject({
    values: ['Bob', 'Eve'],
  })
  expect(changed({ source: 5, id: 2, text: 'Bob' }, rewriter(known))).not.toHaveProperty('values')
})

test('words of rules that scripts write are masked', () => {
  const rules = [{ rule: sheet }, {}]
  const data = { source: 8, adds: rules, styles: [{ rules: [{ rule: sheet }] }] }
  expect(changed(data as unknown as EmittedEvent['data'])).toEqual({
    source: 8,
    adds: [{ rule: cleaned }, {}],
    styles: [{ rules: [{ rule: cleaned }] }],
  })
  const replaced = { source: 8, replace: sheet, replaceSync: sheet }
  expect(changed(replaced as unknown as EmittedEvent['data'])).toEqual({
    source: 8,
    replace: cleaned,
    replaceSync: cleaned,
  })
  const set = { property: 'content', value: "'Bob'" }
  expect(changed({ source: 13, set })).toEqual({
    source: 13,
    set: { property: 'content', value: "'***'" },
  })
})

test('an element that is an open popover says so', () => {
  const open = { matches: (of: string): boolean => of === ':is(:popover-open)' }
  const known = { ...mirror, getNode: () => open as unknown as Node }
  const given = (attributes: Attributes) => rewritten(element({ attributes }), rewriter(known))
  expect(given({ popover: '' }).attributes).toEqual({ popover: '', rr_popover: 'open' })
  expect(given({}).attributes).toEqual({})
  open.matches = () => false
  expect(given({ popover: '' }).attributes).toEqual({ popover: '' })
})

test.each([
  [true, { _cssText: 'p{}', rr_sheet_off: true }],
  [false, { _cssText: 'p{}' }],
])('an element whose style sheet is off says so (%s)', (disabled, recorded) => {
  const known = { ...mirror, getNode: () => ({ sheet: { disabled } }) as unknown as Node }
  const given = element({ attributes: { _cssText: 'p{}' } })
  expect(rewritten(given, rewriter(known)).attributes).toEqual(recorded)
})

test('the address of a page is cleaned', () => {
  const data = { href: 'https://x.test/a?b=bob#c', width: 1 }
  expect(changed(data as unknown as EmittedEvent['data'])).toEqual({
    href: 'https://x.test/a?b=*',
    width: 1,
  })
})

test('shadow hosts are reported, other elements are not', () => {
  const hosts: unknown[] = []
  const host = { nodeType: 1, isHost: true }
  const known = { ...mirror, getNode: (id: number) => (id === 2 ? host : null) }
  const rewrite = createRewriter(
    createMasks({ selectors, secrets }),
    known as unknown as typeof mirror,
    undefined,
    (it) => hosts.push(it),
  )
  rewritten(element({ id: 2 }), rewrite)
  rewritten(element({ id: 9, isShadowHost: true }), rewrite)
  expect(hosts).toEqual([])
  rewritten(element({ id: 2, isShadowHost: true }), rewrite)
  expect(hosts).toEqual([host])
})

test.each([
  ['svg', '0px', 'display:none'],
  ['svg', '7px', undefined],
  ['p', '0px', undefined],
])('a blocked %s that is %s wide has the style %s', (tagName, width, style) => {
  const given = element({ tagName, attributes: { rr_width: width } })
  expect(rewritten(given).attributes?.['style']).toBe(style)
})

/** Our mark on an element. */
const ours = { 'data-afterimage-unmask': '' }

function text(id: number): SerializedNode {
  return { type: 3, id, textContent: 'Bob' }
}

function markedElement(): SerializedNode {
  return element({ attributes: { ...ours }, childNodes: [text(3)] })
}

function changedTexts(): { id: number; value: string }[] {
  return [{ id: 3, value: 'Bob' }]
}

describe('where the page shows what it says', () => {
  /** An element by the marks that it has, in a document. */
  class Shown {
    readonly nodeType = 1
    readonly marks: string
    readonly parent: Shown | null

    constructor(marks: string, parent: Shown | null = null) {
      this.marks = marks
      this.parent = parent
    }

    closest(selector: string): Shown | null {
      return this.marks.split(' ').includes(selector)
        ? this
        : (this.parent?.closest(selector) ?? null)
    }

    contains(other: Shown | null): boolean {
      return other !== null && (other === this || this.contains(other.parent))
    }

    getRootNode(): unknown {
      return document
    }
  }

  const telling: Secrets = {
    ...secrets,
    isSecret: (field) => field === null,
    typed: (text) => `typed ${text}`,
    show: (text) => `shown ${text}`,
  }

  function shownRewriter(nodes: Record<number, unknown>, unmask = 'shown'): Rewriter {
    const masks = createMasks({
      selectors: { ...selectors, unmask, mask: 'hidden' },
      secrets: telling,
    })
    const known = { ...mirror, getNode: (id: number) => nodes[id] ?? null }
    return createRewriter(masks, known as unknown as typeof mirror, undefined, () => undefined)
  }

  const page = new Shown('shown')
  const hidden = new Shown('hidden', page)
  const nodes = {
    2: page,
    3: { nodeType: 3, parentElement: page },
    4: hidden,
    5: { nodeType: 3, parentElement: hidden },
    6: { nodeType: 3, parentElement: new Shown('[contenteditable]', page) },
  }
  test('texts and attributes are shown, what is hidden inside is not, and edits count as typed', () => {
    const inside = element({ id: 4, attributes: { title: 'Eve' }, childNodes: [text(5)] })
    const given = element({ attributes: { title: 'Bob' }, childNodes: [text(3), inside, text(6)] })
    expect(rewritten(given, shownRewriter(nodes))).toMatchObject({
      attributes: { title: 'shown Bob' },
      childNodes: [
        { textContent: 'shown Bob' },
        { attributes: { title: '***' }, childNodes: [{ textContent: '***' }] },
        { textContent: 'typed Bob' },
      ],
    })
  })

  test('a text without a word is left as it is', () => {
    const blank = { ...text(3), textContent: ' \n ' }
    expect(rewritten(element({ childNodes: [blank] }), shownRewriter(nodes)).childNodes).toEqual([
      { ...blank, textContent: ' \n ' },
    ])
  })

  test('changes are shown and hidden as what was there before', () => {
    const rewrite = shownRewriter(nodes)
    const texts = [3, 5, 6].map((id) => ({ id, value: 'Bob' }))
    const attributes = [2, 4].map((id) => ({ id, attributes: { title: 'Bob' } }))
    expect(changed({ source: 0, texts, attributes }, rewrite)).toMatchObject({
      texts: [{ value: 'shown Bob' }, { value: '***' }, { value: 'typed Bob' }],
      attributes: [{ attributes: { title: 'shown Bob' } }, { attributes: { title: '***' } }],
    })
    expect(changed({ source: 5, id: 2, text: 'Bob' }, rewrite).text).toBe('shown Bob')
    expect(changed({ source: 5, id: 4, text: 'Bob' }, rewrite).text).toBe('********')
    expect(changed({ source: 5, text: 'Bob' }, rewrite).text).toBe('********')
  })

  test('a mark that comes with a snapshot or with new nodes shows what is inside of them', () => {
    const marks = { 2: new Shown(marked('unmask')), 3: { nodeType: 3 } as unknown }
    marks[3] = { nodeType: 3, parentElement: marks[2] }
    const whole = rewritten(markedElement(), shownRewriter(marks, marked('unmask')))
    expect(whole.childNodes).toMatchObject([{ textContent: 'shown Bob' }])
    const adds = [{ parentId: 1, node: markedElement() }]
    const data = changed({ source: 0, adds }, shownRewriter(marks, marked('unmask')))
    expect(data.adds?.[0]?.node.childNodes).toMatchObject([{ textContent: 'shown Bob' }])
  })

  test('a mark that an element gets shows what the same event says of it, in any order', () => {
    const marks = { 2: new Shown(marked('unmask')), 3: { nodeType: 3 } as unknown }
    marks[3] = { nodeType: 3, parentElement: marks[2] }
    const rewrite = shownRewriter(marks, marked('unmask'))
    expect(changed({ source: 0, texts: changedTexts() }, rewrite).texts).toEqual([
      { id: 3, value: '***' },
    ])
    const adds = [{ parentId: 2, node: text(3) }]
    const attributes = [
      { id: 2, attributes: { title: 'Bob' } },
      { id: 2, attributes: { ...ours } },
    ]
    expect(changed({ source: 0, adds, texts: changedTexts(), attributes }, rewrite)).toMatchObject({
      adds: [{ node: { textContent: 'shown Bob' } }],
      texts: [{ value: 'shown Bob' }],
      attributes: [{ attributes: { title: 'shown Bob' } }, {}],
    })
  })

  test('words of style sheets are shown where all of the page is', () => {
    const rewrite = shownRewriter({ 8: { parentElement: { localName: 'style' } } })
    vi.stubGlobal('document', { body: page })
    const style = element({
      tagName: 'style',
      id: 7,
      childNodes: [{ type: 3, id: 8, textContent: sheet }],
    })
    expect(rewritten(style, rewrite).childNodes).toMatchObject([
      { textContent: "a::after{content:shown 'Bob'}" },
    ])
    const set = { property: 'content', value: "'Bob'" }
    expect(changed({ source: 13, set }, rewrite).set?.value).toBe("shown 'Bob'")
    vi.stubGlobal('document', { body: null })
  })
})

test('parameters that an application keeps stay in every address', () => {
  const rewrite = createRewriter(
    createMasks({ selectors, secrets }),
    mirror,
    ['page'],
    () => undefined,
  )
  expect(changed({ href: '/a?page=2&b=1' }, rewrite).href).toBe('/a?page=2&b=*')
  const rule = 'a{background:url(/a?page=2&b=1)}'
  expect(changed({ source: 8, replace: rule }, rewrite).replace).toBe(
    'a{background:url(/a?page=2&b=*)}',
  )
})
