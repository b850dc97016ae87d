import { expect, test } from 'vitest'
import { cleanAddresses, cleanSheet, withoutImages } from './attributes.ts'

test('of addresses the names of parameters stay, and of what is no place only the kind', () => {
  expect(cleanAddresses('/a?b=1 1x, /c#d 2x', undefined)).toBe('/a?b=* 1x, /c 2x')
  expect(cleanAddresses('/a?b=1', ['b'])).toBe('/a?b=1')
  expect(cleanAddresses('mailto:bob@x.test?subject=Bob', undefined)).toBe('mailto:')
  expect(cleanAddresses(" JavaScript: pay('Bob')", undefined)).toBe(' JavaScript:')
  expect(cleanAddresses('tel:+49 731 12345', undefined)).toBe('tel:')
  expect(cleanAddresses('/tel:/path', undefined)).toBe('/tel:/path')
})

test('words that a style sheet writes on the page are masked, and icons are not', () => {
  expect(cleanSheet('a::after{content:"Bob" attr(x);color:red}', undefined)).toBe(
    'a::after{content:"***" attr(x);color:red}',
  )
  expect(cleanSheet("a{--user:'Bob; 7';--c:#fff}", undefined)).toBe("a{--user:'***; *';--c:#fff}")
  expect(cleanSheet(String.raw`i{content:"\f101"}j{content:"${'\uf101'}"}`, undefined)).toBe(
    String.raw`i{content:"\f101"}j{content:"${'\uf101'}"}`,
  )
  // What ends a string, and what does not.
  expect(cleanSheet(String.raw`a{content:"B\"b} c"}`, undefined)).toBe(
    String.raw`a{content:"*\"*} *"}`,
  )
  expect(cleanSheet('a{content:"Bob', undefined)).toBe('a{content:"***')
  expect(cleanSheet('a[title="x"]{font:1em "Geist";grid-template-areas:"a b"}', undefined)).toBe(
    'a[title="x"]{font:1em "Geist";grid-template-areas:"a b"}',
  )
})

test('of a style attribute images and texts are left out', () => {
  expect(withoutImages('background:url("a)b?bob") red;quotes:"Bob" \'B')).toBe(
    'background:url() red;quotes:"***" \'*',
  )
})
