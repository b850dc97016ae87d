import { expect, test } from 'vitest'
import { cleanAttributes } from './clean-attributes.ts'

test('links lead nowhere, handlers and addresses are gone, pictures in the text stay', () => {
  expect(cleanAttributes('a', { href: 'https://evil.example/', class: 'x', ping: '/p' })).toEqual({
    href: '#',
    class: 'x',
  })
  const image = { src: 'https://evil.example/a.png', onerror: 'alert(1)', rr_width: '10px' }
  expect(cleanAttributes('img', image)).toEqual({ rr_width: '10px' })
  expect(cleanAttributes('img', { src: 'data:image/png;base64,AA' })).toEqual({
    src: 'data:image/png;base64,AA',
  })
  expect(cleanAttributes('use', { 'xlink:href': '#icon', href: '/sprite.svg#i' })).toEqual({
    'xlink:href': '#icon',
  })
  expect(cleanAttributes('iframe', { src: 'data:image/svg+xml,x', srcdoc: '<p>' })).toEqual({})
  expect(cleanAttributes('iframe', { sandbox: '', csp: 'x' })).toEqual({})
  expect(cleanAttributes('canvas', { rr_dataURL: 'https://evil.example/c.png' })).toEqual({})
})

test('a style sheet stays as text and says for which media, every other hint of a link goes', () => {
  const sheet = { rel: 'stylesheet', href: '/a.css', _cssText: 'p{}', media: 'print' }
  expect(cleanAttributes('link', sheet)).toEqual({
    rel: 'stylesheet',
    _cssText: 'p{}',
    media: 'print',
  })
  expect(cleanAttributes('link', { rel: 'preconnect', href: 'https://evil.example' })).toEqual({})
  expect(cleanAttributes('link', { media: 'all' })).toEqual({ media: 'all' })
  expect(cleanAttributes('meta', { 'http-equiv': 'refresh', content: '0;url=/' })).toEqual({})
  const scheme = { name: 'color-scheme', content: 'dark' }
  expect(cleanAttributes('meta', scheme)).toEqual(scheme)
})

test('names that a browser would refuse are left out', () => {
  const names = { 'a b': 1, '': 1, '1': 1, '<x': 1, '@click': 1, ':class': 1, 'data-a.b': 1 }
  expect(Object.keys(cleanAttributes('p', names))).toEqual([':class', 'data-a.b'])
})
