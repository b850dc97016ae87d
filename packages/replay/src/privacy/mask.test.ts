import { assert, oneof, property, string } from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { shapeCharactersMax, shapesMax } from '../limits.ts'
import { betweenChoices, createMasks, stars } from './mask.ts'
import type { Secrets } from './secrets.ts'

test('every character but space becomes a star', () => {
  expect(stars('Order 7\n of\tBob')).toBe('***** *\n **\t***')
  expect(stars('')).toBe('')
  for (const length of [62, 63, 64, 65, 66]) {
    expect(stars('a'.repeat(length))).toBe('*'.repeat(length))
    expect(stars(`${'a'.repeat(length - 2)} b`)).toBe(`${'*'.repeat(length - 2)} *`)
  }
})

test('every text, of any length, becomes stars and spaces only', () => {
  const texts = oneof(string({ maxLength: 130 }), string({ unit: 'binary', maxLength: 80 }))
  assert(property(texts, (text) => stars(text) === text.replace(/\S/g, '*')))
})

test('a page with more shapes than are kept is masked all the same', () => {
  for (let n = 0; n < 2 * shapesMax; n += 1) {
    const text = n.toString(2).replaceAll('0', ' ').padEnd(shapeCharactersMax, 'é')
    expect(stars(text)).toBe(text.replace(/\S/g, '*'))
    expect(stars(text)).toBe(text.replace(/\S/g, '*'))
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** An element as far as the masks look: its marks, and its place. */
class FakeElement {
  readonly mark: string
  readonly parent: FakeElement | null
  readonly root: object

  constructor(mark: string, parent: FakeElement | null, root?: object) {
    this.mark = mark
    this.parent = parent
    this.root = root ?? parent?.root ?? globalThis.document
  }

  closest(mark: string): FakeElement | null {
    return this.mark.split(' ').includes(mark) ? this : (this.parent?.closest(mark) ?? null)
  }

  contains(other: FakeElement | null): boolean {
    return other === this || (!!other && this.contains(other.parent))
  }

  getRootNode(): object {
    return this.root
  }
}

function makeMasks(isSecret = false) {
  vi.stubGlobal('document', {})
  const secrets = {
    isSecret: () => isSecret,
    typed: (text: string) => `typed ${text}`,
  } as unknown as Secrets
  const selectors = { unmask: 'shown', mask: 'hidden', block: '', unblock: '', ignore: '' }
  const masks = createMasks({ selectors, secrets })
  return {
    masks,
    isUnmasked: (element: FakeElement) => masks.isUnmasked(element as unknown as Element),
    input: (text: string, element: FakeElement) => masks.input(text, element as unknown as Element),
  }
}

const inside = (...marks: readonly string[]): FakeElement =>
  marks.reduce<FakeElement | null>((parent, mark) => new FakeElement(mark, parent), null)!

test.each([
  [[''], false],
  [['shown'], true],
  [['shown', ''], true],
  [['hidden'], false],
  [['hidden', 'shown'], true],
  [['shown', 'hidden'], false],
  [['shown', 'hidden', ''], false],
  [['shown hidden'], false],
  [['hidden', 'shown', ''], true],
])('of %j, from the outside in, the innermost is unmasked: %s', (marks, expected) => {
  const { isUnmasked } = makeMasks()
  expect(isUnmasked(inside(...marks))).toBe(expected)
})

test.each([
  ['shown', '', true],
  ['', '', false],
  ['hidden', '', false],
  ['hidden', 'shown', true],
  ['shown', 'hidden', false],
])('in the shadow of a host that is "%s", "%s" is unmasked: %s', (outer, inner, expected) => {
  const { isUnmasked } = makeMasks()
  const shadow = { host: inside(outer) }
  expect(isUnmasked(new FakeElement(inner, null, shadow))).toBe(expected)
})

test('elements outside any document, and missing ones, are masked', () => {
  const { masks, isUnmasked } = makeMasks()
  expect(isUnmasked(new FakeElement('', null, {}))).toBe(false)
  expect([masks.isUnmasked(null), masks.isUnmasked(undefined)]).toEqual([false, false])
})

test('the value of an input is shown only if it is unmasked and not secret, without digits held back', () => {
  const { input } = makeMasks()
  expect(input('Bob', inside('shown'))).toBe('typed Bob')
  expect(input('Bob', inside(''))).toBe('********')
  expect(input('', inside(''))).toBe('')
  expect(makeMasks(true).input('Bob', inside('shown'))).toBe('********')
})

/** A list with this mark, three choices made, the second masked. */
function listOf(mark: string): FakeElement {
  const element = inside(mark)
  const option = (own: string, value: string) =>
    Object.assign(new FakeElement(own, element), { value })
  const selectedOptions = [option('', 'Bob 7'), option('hidden', 'Eve'), option('', 'Carol')]
  return Object.assign(element, { type: 'select-multiple', selectedOptions })
}

test('all choices of an unmasked list are its text, but for those that are masked themselves', () => {
  const { input } = makeMasks()
  const shown = input('Bob 7', listOf('shown')).split(betweenChoices)
  expect(shown).toEqual(['Bob 7', '********', 'Carol'])
  expect(input('Bob 7', listOf(''))).toBe('********')
})
