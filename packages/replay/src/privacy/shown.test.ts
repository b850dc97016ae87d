import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Masks } from './mask.ts'
import { createShown } from './shown.ts'

const ours = '.afterimage-unmask,[data-afterimage-unmask]'

/** A node as far as `shown` looks. */
interface FakeNode {
  nodeType: number
  parentElement?: FakeNode | null
  parentNode?: { host?: FakeNode } | null
  ownerSVGElement?: unknown
  localName?: string
  /** The page shows it. */
  isShown?: boolean
  isPassword?: boolean
  closest?: (selector: string) => unknown
}

const element = (more: Partial<FakeNode> = {}): FakeNode => ({
  nodeType: 1,
  closest: () => null,
  ...more,
})

const body = element()

beforeEach(() => void vi.stubGlobal('document', { body }))
afterEach(() => {
  vi.unstubAllGlobals()
  delete body.isShown
})

function makeShown(nodes: readonly FakeNode[], unmask = `${ours},.shown`) {
  const asked: unknown[] = []
  const masks = {
    selectors: { unmask },
    secrets: {
      isSecret: (node: FakeNode | null) => node === null || node.isPassword === true,
      typed: (text: string) => `typed ${text}`,
      show: (text: string) => `shown ${text}`,
    },
    isUnmasked(node: FakeNode | null | undefined) {
      asked.push(node)
      return node?.isShown === true
    },
  } as unknown as Masks
  const getNode = (id: number): FakeNode | null => nodes[id] ?? null
  const shown = createShown(masks, { getNode } as unknown as Parameters<typeof createShown>[1])
  return { shown, asked }
}

test('an element decides about its attributes, the parent or host about a text', () => {
  const host = element({ isShown: true })
  const { shown } = makeShown([
    host,
    element(),
    { nodeType: 3, parentElement: host },
    { nodeType: 3, parentElement: element() },
    { nodeType: 3, parentElement: null, parentNode: { host } },
    { nodeType: 3, parentElement: null, parentNode: null },
    element({ parentElement: host }),
  ])
  const ids = [0, 1, 2, 3, 4, 5, 6, 7]
  expect(ids.filter((id) => shown.text(id))).toEqual([0, 2, 4])
})

test.each([{ 'data-afterimage-unmask': '' }, { class: 'price afterimage-unmask' }])(
  'nobody asks the document until an element with our mark was recorded: %o',
  (mark) => {
    const { shown, asked } = makeShown([element({ isShown: true })], ours)
    body.isShown = true
    for (const other of [{}, { class: 'a' }, { class: null }, { 'data-afterimage-mask': '' }]) {
      shown.see(other)
    }
    expect([shown.text(0), shown.sheets(), asked]).toEqual([false, undefined, []])
    shown.see(mark)
    shown.see({})
    expect(shown.text(0)).toBe(true)
    expect(shown.sheets()?.('a')).toBe('shown a')
  },
)

test('words of style sheets are shown only where the whole page is', () => {
  const { shown } = makeShown([])
  expect(shown.sheets()).toBeUndefined()
  body.isShown = true
  expect(shown.sheets()).toBe(shown.show)
})

test('text that people edit in place is treated as typed', () => {
  const editable = element({ closest: (selector) => selector === '[contenteditable]' || null })
  const { shown } = makeShown([element(), element(), editable])
  expect([shown.show('7', 2), shown.show('7', 1), shown.show('7', 9), shown.show('7')]).toEqual([
    'typed 7',
    'shown 7',
    'shown 7',
    'shown 7',
  ])
})

test('the value of a shown field is shown, that of a secret field never', () => {
  const { shown } = makeShown([
    element({ isShown: true }),
    element({ isShown: true, isPassword: true }),
    element(),
  ])
  expect([0, 1, 2, 3].map((id) => shown.value(id))).toEqual([true, false, false, false])
})

test('SVG elements are drawings, their root too, apart from excluded ones', () => {
  const { shown } = makeShown([
    element({ ownerSVGElement: {}, localName: 'path' }),
    element({ ownerSVGElement: null, localName: 'svg' }),
    element({ ownerSVGElement: {}, localName: 'a' }),
    element({ localName: 'p' }),
  ])
  expect([0, 1, 2, 3, 4].map((id) => shown.isDrawing(id))).toEqual([true, true, true, false, false])
  expect([0, 1, 2, 3, 4].map((id) => shown.isDrawing(id, 'a'))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
