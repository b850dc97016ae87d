import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { cleanAttributes, makeHarmless } from './harmless-events.ts'

const change = (id: number, attributes: object) => ({
  type: 3,
  timestamp: 2,
  data: { source: 0, adds: [], removes: [], texts: [], attributes: [{ id, attributes }] },
})

test('links lead nowhere, handlers and addresses are gone, pictures in the text stay', () => {
  expect(cleanAttributes('a', { href: 'https://evil.example/', class: 'x', ping: '/p' })).toEqual({
    href: '#',
    class: 'x',
  })
  expect(
    cleanAttributes('img', {
      src: 'https://evil.example/a.png',
      onerror: 'alert(1)',
      rr_width: '10px',
    }),
  ).toEqual({ rr_width: '10px' })
  expect(cleanAttributes('img', { src: 'data:image/png;base64,AA' })).toEqual({
    src: 'data:image/png;base64,AA',
  })
  expect(cleanAttributes('use', { 'xlink:href': '#icon', href: '/sprite.svg#i' })).toEqual({
    'xlink:href': '#icon',
  })
  expect(cleanAttributes('iframe', { src: 'data:image/svg+xml,x', srcdoc: '<p>' })).toEqual({})
  expect(cleanAttributes('canvas', { rr_dataURL: 'https://evil.example/c.png' })).toEqual({})
})

test('a style sheet stays as text, every other hint of a link goes', () => {
  expect(cleanAttributes('link', { rel: 'stylesheet', href: '/a.css', _cssText: 'p{}' })).toEqual({
    rel: 'stylesheet',
    _cssText: 'p{}',
  })
  expect(cleanAttributes('link', { rel: 'preconnect', href: 'https://evil.example' })).toEqual({})
  expect(cleanAttributes('meta', { 'http-equiv': 'refresh', content: '0;url=/' })).toEqual({})
})

test('a later change of an attribute is judged by the element it is on', () => {
  const tags = new Map<number, string>()
  const snapshot = {
    type: 2,
    timestamp: 1,
    data: {
      node: {
        type: 0,
        id: 1,
        childNodes: [{ type: 2, id: 2, tagName: 'LINK', attributes: {}, childNodes: [] }],
      },
    },
  }
  const [, changed] = makeHarmless(
    [snapshot, change(2, { rel: 'preconnect', href: 'https://e.example' })],
    tags,
  )
  expect(changed?.data).toMatchObject({ attributes: [{ id: 2, attributes: {} }] })
  const [unknown] = makeHarmless([change(9, { href: 'https://e.example', title: 't' })], tags)
  expect(unknown?.data).toMatchObject({ attributes: [{ id: 9, attributes: { title: 't' } }] })
})

test('fonts are not drawn, and no nesting is too deep', () => {
  const font = { type: 3, timestamp: 1, data: { source: 10, family: 'x', fontSource: 'url(/f)' } }
  expect(makeHarmless([font], new Map())).toEqual([])
  let node: object = {
    type: 2,
    id: 1,
    tagName: 'script',
    attributes: { src: '/x' },
    childNodes: [],
  }
  const innermost = node
  for (let depth = 0; depth < 100_000; depth += 1) {
    node = { type: 2, id: depth + 2, tagName: 'div', attributes: {}, childNodes: [node] }
  }
  makeHarmless([{ type: 2, timestamp: 1, data: { node } }], new Map())
  expect(innermost).toMatchObject({ attributes: {} })
})

test('any value where an event should be is survived', () => {
  fc.assert(
    fc.property(fc.constantFrom(2, 3, 4), fc.anything(), (type, data) => {
      expect(() => makeHarmless([{ type, timestamp: 1, data }], new Map())).not.toThrow()
    }),
  )
})
