import { expect, test } from 'vitest'
import type { Attributes } from '../recording/rrweb.ts'
import { cleanAddresses, maskAttributes } from './attributes.ts'
import type { Shown } from './shown.ts'
import { cleanStyle } from './styles.ts'

test('addresses keep the names of their parameters, and those that name no place only their scheme', () => {
  expect(cleanAddresses('/a?b=1 1x, /c#d 2x', undefined)).toBe('/a?b=* 1x, /c 2x')
  expect(cleanAddresses('/a?b=1', ['b'])).toBe('/a?b=1')
  expect(cleanAddresses('mailto:bob@x.test?subject=Bob', undefined)).toBe('mailto:')
  expect(cleanAddresses(" JavaScript: pay('Bob')", undefined)).toBe(' JavaScript:')
  expect(cleanAddresses('tel:+49 731 12345', undefined)).toBe('tel:')
  for (const scheme of ['sip', 'skype', 'xmpp', 'geo', 'bitcoin', 'otpauth', 'urn', 'x-app+v1.2']) {
    expect(cleanAddresses(`${scheme}:bob`, undefined)).toBe(`${scheme}:`)
    expect(cleanAddresses(`${scheme}://totp/bob?a=b`, undefined)).toBe(`${scheme}:`)
  }
  expect(cleanAddresses('//bob:7@x.test/a', undefined)).toBe('//x.test/a')
  expect(cleanAddresses('/tel:/path', undefined)).toBe('/tel:/path')
})

const eve = () => (): string => '"Eve"'

/** Rewrites attributes where the whole element is shown, or nothing of it. */
function masked(attributes: Attributes, given: Partial<Shown> = {}): Attributes {
  const shown: Shown = {
    text: () => false,
    show: (text) => `shown ${text}`,
    sheets: () => undefined,
    value: () => false,
    isDrawing: () => false,
    see: () => undefined,
    ...given,
  }
  const own = { ...attributes }
  const cleanSheet = (sheet: string): string => cleanStyle(sheet, ['page'], shown.sheets())
  maskAttributes(own, 7, { keepQuery: ['page'], shown, cleanSheet })
  return own
}

test('words are masked, styling stays, and handlers are dropped', () => {
  expect(
    masked({ title: 'Bob 7', class: 'a', onclick: 'pay()', srcdoc: '<b>', d: 'M0', alt: '', a: 7 }),
  ).toEqual({
    title: '*** *',
    class: 'a',
    onclick: undefined,
    srcdoc: undefined,
    d: '**',
    alt: '',
    a: 7,
  })
})

test('words are shown where the element is, which is asked once', () => {
  const asked: number[] = []
  const text = (id: number): boolean => asked.push(id) > 0
  expect(masked({ title: 'Bob', alt: 'Eve' }, { text })).toEqual({
    title: 'shown Bob',
    alt: 'shown Eve',
  })
  expect(asked).toEqual([7])
})

test('a value is masked unless it may be shown, and the type stays', () => {
  const attributes = { type: 'radio', value: 'Bob' }
  expect(masked(attributes)).toEqual({ type: 'radio', value: '********' })
  expect(masked(attributes, { value: () => true })).toEqual({ type: 'radio', value: 'shown Bob' })
  expect(masked({ value: 7 }, { value: () => true })).toEqual({ value: 'shown 7' })
  const asked: number[] = []
  masked({ type: 'password' }, { value: (id) => asked.push(id) > 0 })
  expect(asked).toEqual([7])
})

test('a drawing keeps its geometry and its references within the page, but not its links', () => {
  const attributes = { d: 'M0 0', href: '#symbol' }
  expect(masked(attributes, { isDrawing: () => true })).toEqual(attributes)
  expect(masked(attributes, { isDrawing: (_, except) => except !== 'a' })).toEqual({
    d: 'M0 0',
    href: '',
  })
  const away = { href: '/a?b=1&page=2#c' }
  expect(masked(away, { isDrawing: () => true })).toEqual({ href: '/a?b=*&page=2' })
})

test('a drawing keeps no query, no data, and no words of the program that drew it', () => {
  const paint = { fill: 'url(#a)', values: '0 0 1', transform: 'rotate(3 1,2)' }
  expect(masked(paint, { isDrawing: () => true })).toEqual(paint)
  const hidden = { fill: 'url(/a?b#c)', mask: 'url(data:,b)', 'inkscape:label': 'Bob' }
  expect(masked(hidden, { isDrawing: () => true })).toEqual({
    fill: '***********',
    mask: '************',
    'inkscape:label': '***',
  })
})

test('words in styles are masked, and no address stays on an element', () => {
  const style = 'quotes:"Bob";background:url(/a)'
  expect(masked({ style })).toEqual({ style: 'quotes:"***";background:url()' })
  const sheet = 'a{content:"Bob";background:url(/a?b=1&page=2)}'
  expect(masked({ _cssText: sheet })).toEqual({
    _cssText: 'a{content:"***";background:url(/a?b=*&page=2)}',
  })
  expect(masked({ _cssText: 'a{content:"Bob"}' }, { sheets: eve })).toEqual({
    _cssText: 'a{content:"Eve"}',
  })
})

test('changes of single styles are cleaned one by one', () => {
  const style = { content: '"Bob"', color: ['red', 'important'], quotes: ['"Bob"', ''], top: false }
  expect(masked({ style } as unknown as Attributes)).toEqual({
    style: { content: '"***"', color: ['red', 'important'], quotes: ['"***"', ''], top: false },
  })
  expect(masked({ title: { a: 'Bob' } })).toEqual({ title: undefined })
})
