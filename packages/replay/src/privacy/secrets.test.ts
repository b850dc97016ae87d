import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { secretFieldsMax, secretsMax } from '../limits.ts'
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
/** Changes the type of a field as a page does; an observer learns what it asked for. */
let changeType: (field: Element, type: string) => void
let observed: number
let typedIn: (event: object) => void

beforeEach(() => {
  observed = 0
  changeType = (field, type) => void (field.attributes['type'] = type)
  class MutationObserver {
    readonly listener: (records: object[]) => void

    constructor(listener: (records: object[]) => void) {
      this.listener = listener
    }

    observe(root: object, options: MutationObserverInit): void {
      observed += 1
      changeType = (field, type) => {
        const oldValue = options.attributeOldValue ? field.type : null
        field.attributes['type'] = type
        const isAsked = options.attributeFilter?.includes('type') === true
        if (isAsked && options.subtree && root === globalThis.document) {
          this.listener([{ target: field, oldValue }])
        }
      }
    }

    disconnect(): void {
      observed -= 1
    }
  }
  const document = {
    addEventListener: (_: string, listener: typeof typedIn) => {
      observed += 1
      typedIn = listener
    },
    removeEventListener: (_: string, listener: typeof typedIn) => {
      if (listener === typedIn) observed -= 1
    },
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

test.each([
  ['disc', true],
  ['circle', true],
  ['none', false],
  ['', false],
])('a text field whose letters a style draws as "%s" is a password: %s', (style, isPassword) => {
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => style }))
  const dotted = Object.assign(field({}, 'hunter2'), { selectionEnd: 7 })
  expect(secrets.isSecret(dotted)).toBe(isPassword)
  expect(secrets.show('hunter2')).toBe(isPassword ? '*******' : 'hunter2')
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
  const early = new Element({ type: 'Password' })
  changeType(early, 'text')
  expect(secrets.isSecret(early as unknown as HTMLInputElement)).toBe(true)
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
    password.value = `(${n})secret`
    secrets.isSecret(password)
  }
  expect(secrets.show('(0)secret')).toBe('(0)secret')
  expect(secrets.show('(1)secret')).toBe('*********')
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

test('a field that changes from another type is not a password', () => {
  const plain = new Element({ type: 'text' })
  changeType(plain, 'search')
  expect(secrets.isSecret(plain as unknown as HTMLInputElement)).toBe(false)
  const typed = field({ type: 'text' }, 'Bob')
  typedIn({ composedPath: () => [typed] })
  expect(secrets.show('Bob')).toBe('Bob')
})

test('a password that is typed is hidden at once, before anybody asks for its field', () => {
  const password = field({ type: 'password' }, 'hunter22')
  typedIn({ composedPath: () => [password] })
  password.value = ''
  expect(secrets.show('hunter22')).toBe('********')
})

test.each([
  { autocomplete: 'one-time-code' },
  { autocomplete: 'onetime' },
  { autocomplete: 'section-a cc-exp' },
  { name: 'user_passphrase' },
  { name: 'PassCode' },
  { name: 'passwort' },
  { id: 'new_pwd' },
  { id: 'otp-1' },
  { id: 'user_2fa' },
  { id: 'mfa' },
  { placeholder: 'Verification code' },
  { placeholder: 'verification_code' },
  { 'aria-label': 'Security-Code' },
  { 'aria-label': 'Cardholder' },
  { name: 'iban' },
])('a field with %o is secret', (attributes) => {
  expect(secrets.isSecret(field(attributes, 'Bob'))).toBe(true)
  // A name alone says nothing of what is elsewhere.
  expect(secrets.show('Bob')).toBe('Bob')
})

test.each([
  { name: 'passenger' },
  { name: 'xpwd' },
  { name: 'shotp' },
  { name: '3fa' },
  { id: '2fast' },
  { id: 'mfax' },
  { name: 'security' },
  { name: 'zip_code' },
  { title: 'password' },
  { placeholder: 'Your acc-ount' },
])('a field with %o is not secret', (attributes) => {
  expect(secrets.isSecret(field(attributes))).toBe(false)
})

test('values that scripts set are known of the newest password fields', () => {
  const fields = Array.from({ length: secretFieldsMax + 1 }, () => field({ type: 'password' }))
  for (const it of [...fields, ...fields]) secrets.isSecret(it)
  for (const [index, it] of fields.entries()) it.value = `${index}-secret-${index}`
  expect(secrets.show('0-secret-0')).toBe('0-secret-0')
  expect(secrets.show('1-secret-1')).toBe('**********')
  expect(secrets.show('20-secret-20')).toBe('************')
})

test('a secret is hidden in whatever groups it is written', () => {
  secrets.isSecret(field({ type: 'password' }, 'ab cd\u2013ef'))
  for (const text of ['abcdef', 'ab-cd-ef', 'ab cd ef']) {
    expect(secrets.show(text)).toBe(text.replace(/\S/g, '*'))
  }
})

test('text that was typed is hidden whole where it holds a secret', () => {
  secrets.isSecret(field({ type: 'password' }, 'hunter22'))
  expect(secrets.typed('It is hunter22 7')).toBe('** ** ******** *')
  expect(secrets.typed('It is Bob')).toBe('It is Bob')
})

test('nothing is watched once it is closed', () => {
  expect(observed).toBe(2)
  secrets.close()
  expect(observed).toBe(0)
})
