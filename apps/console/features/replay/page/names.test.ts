import { expect, test } from 'vitest'
import { doctypeNameOf, isAttributeName, namespaceOf, svgNameOf, tagNameOf } from './names.ts'

/** An element of MathML, as far as it is looked at. */
const inside = (localName: string) =>
  ({ nodeType: 1, localName, namespaceURI: 'http://www.w3.org/1998/Math/MathML' }) as never

test('names that are not valid become names that are', () => {
  for (const name of ['', ' ', 'a b', '<script', 'a>b', '1a', 'x\u0000', 'a:', 'a:b:c', 7, null]) {
    expect(tagNameOf(name)).toBe('x-invalid')
    expect(doctypeNameOf(name)).toBe('html')
  }
  expect(tagNameOf('my-Element.v2')).toBe('my-Element.v2')
  expect(doctypeNameOf('svg:svg')).toBe('svg:svg')
  expect(tagNameOf('a'.repeat(129))).toBe('x-invalid')
})

test('attributes that only a parser could have made are not set', () => {
  expect(['@click', '(x)', '[y]', 'a=b', 'x\n', '"'].filter(isAttributeName)).toEqual([])
  expect(['class', 'xlink:href', ':x', 'data-1'].filter(isAttributeName)).toHaveLength(4)
})

test('elements of MathML follow from where they are, and their texts hold HTML', () => {
  expect(namespaceOf('math', false, null)).toContain('MathML')
  expect(namespaceOf('mfrac', false, inside('math'))).toContain('MathML')
  expect(namespaceOf('span', false, inside('mtext'))).toContain('xhtml')
  expect(namespaceOf('path', true, null)).toContain('svg')
  expect(svgNameOf('lineargradient')).toBe('linearGradient')
})
