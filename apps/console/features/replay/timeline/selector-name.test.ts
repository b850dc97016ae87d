import { expect, test } from 'vitest'
import { nameInSelector, selectorOf } from './selector-name.ts'

test('an element is the last part of its path, without its attributes', () => {
  expect(selectorOf('body > form > button#add[type="submit"][name="x"]')).toBe('button#add')
  expect(selectorOf('Cart > Button')).toBe('Button')
  expect(selectorOf('')).toBe('')
})

test('a name an element gives itself stands in quotation marks', () => {
  expect(nameInSelector('form > button.apply[type="submit"][aria-label="Apply voucher"]')).toBe(
    '“Apply voucher”',
  )
  expect(nameInSelector('img[alt="Tea"][title="A tea pot"]')).toBe('“A tea pot”')
  expect(nameInSelector(`input[name="${'x'.repeat(100)}"]`)).toBe(`“${'x'.repeat(59)}…”`)
})

test('an element without a name has none, whatever its parents are called', () => {
  expect(nameInSelector('form[name="pay"] > button#go[type="submit"]')).toBeNull()
  expect(nameInSelector('button[aria-label=" "]')).toBeNull()
  expect(nameInSelector('button[aria-label="***** ***"]')).toBeNull()
  expect(nameInSelector('')).toBeNull()
})
