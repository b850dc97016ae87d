import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { secretsMax } from '../limits.ts'
import { watchSecrets } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** A field as far as secrets look: its attributes and its value. */
class Element {
  readonly attributes: Record<string, string>
  value = ''

  constructor(attributes: Record<string, string>) {
    this.attributes = attributes
  }

  get type(): string {
    return this.attributes['type'] ?? 'text'
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null
  }
}

let secrets: Secrets
let changed: (records: object[]) => void
let typedIn: (event: object) => void

beforeEach(() => {
  class MutationObserver {
    constructor(listener: typeof changed) {
      changed = listener
    }
    observe(): void {}
    disconnect(): void {}
  }
  const document = {
    addEventListener: (_: string, listener: typeof typedIn) => (typedIn = listener),
    removeEventListener: () => undefined,
  }
  for (const [name, value] of Object.entries({ MutationObserver, document, Element })) {
    vi.stubGlobal(name, value)
  }
  secrets = watchSecrets()
})

afterEach(() => {
  secrets.close()
  vi.unstubAllGlobals()
})

const field = (attributes: Record<string, string>, value = '') =>
  Object.assign(new Element(attributes), { value }) as unknown as HTMLInputElement & Element

test('digits are held back as long as they may become a card number', () => {
  const number = '4929 1310 0420 9171'
  for (let end = 1; end <= number.length; end += 1) {
    expect(secrets.typed(number.slice(0, end))).not.toMatch(/\d/)
  }
  for (const text of ['12/27', '08 / 2931', '123', '482913', '4929__________', '٤٩٢٩', '7,50']) {
    expect(secrets.typed(text)).not.toMatch(/\p{N}/u)
  }
  expect(secrets.typed('12 Main Street')).toBe('12 Main Street')
  expect(secrets.typed('12 Main Street 7')).toBe('12 Main Street *')
  expect(secrets.typed('Visa 5555 13 of Bob')).toBe('Visa **** ** of Bob')
})

test('digits held back are hidden where the page repeats them', () => {
  secrets.typed('4929131')
  expect(secrets.show('4929 131# #### ####')).toBe('**** **** **** ****')
  expect(secrets.show('Order 12')).toBe('Order 12')
})

test('card numbers are hidden in any text, and the rest of it is shown', () => {
  expect(secrets.show('Card 4111\u00a01111\u00a01111\u00a01111 of Bob')).toBe(
    'Card ****\u00a0****\u00a0****\u00a0**** of Bob',
  )
})

test('once a password, always a password', () => {
  const early = field({ type: 'text' }, 'hunter22')
  expect(secrets.isSecret(early)).toBe(false)
  changed([{ target: early, oldValue: 'Password' }])
  expect(secrets.isSecret(early)).toBe(true)
  const shown = field({ type: 'password' })
  typedIn({ composedPath: () => [shown] })
  shown.attributes['type'] = 'text'
  expect(secrets.isSecret(shown)).toBe(true)
  expect(secrets.isSecret(field({ autocomplete: 'section-a cc-name' }))).toBe(true)
  expect(secrets.isSecret(field({ name: 'city' }))).toBe(false)
  expect(secrets.isSecret(null)).toBe(true)
})

test('a password is hidden wherever it appears again, also while it is typed and after its field is gone', () => {
  const password = field({ type: 'password' })
  secrets.isSecret(password)
  for (const value of ['h', 'hu', 'hun', 'hunt', 'hunter22']) {
    password.value = value
    expect(secrets.show(value)).toBe('*'.repeat(value.length))
  }
  password.value = ''
  expect(secrets.show('Your password is hunter22')).toBe('**** ******** ** ********')
  expect(secrets.typed('hunter22')).toBe('********')
  expect(secrets.show('The hunt')).toBe('The hunt')
  expect(secrets.show('Hello')).toBe('Hello')
})

test('beyond the limit of secrets the newest are hidden', () => {
  const password = field({ type: 'password' })
  for (let n = 0; n <= secretsMax; n += 1) {
    password.value = `${n}-secret-${n}`
    secrets.isSecret(password)
  }
  expect(secrets.show('0-secret-0')).toBe('0-secret-0')
  expect(secrets.show('1-secret-1')).toBe('**********')
})

test.each([
  ['abcdef', 'abcdef', true],
  ['abcdef', 'ab', true],
  ['abcdef', 'ef', false],
  ['abcdef', 'def', false],
  ['abcdef', 'cdef', true],
  ['abcdef', 'bcde', true],
  ['abcd', 'It is abcd', true],
  ['abc', 'It is abc', false],
  ['abc', 'abc', true],
  ['abcdef', '', false],
])('where the password is %s, whether "%s" is hidden: %s', (password, text, isHidden) => {
  secrets.isSecret(field({ type: 'password' }, password))
  expect(secrets.show(text)).toBe(isHidden ? text.replace(/\S/g, '*') : text)
})

test('three digits are held back and not remembered, four are', () => {
  secrets.typed('123')
  expect(secrets.show('123')).toBe('123')
  secrets.typed('1234')
  expect(secrets.show('1234')).toBe('****')
})
