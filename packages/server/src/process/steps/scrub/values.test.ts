import { expect, test } from 'vitest'
import type { ScrubbingSettings } from '../../items/item.ts'
import { defaultScrubbing } from './settings.ts'
import { scrubberOf, scrubMember, scrubText, scrubValue } from './values.ts'

function scrubbed(value: unknown, settings: Partial<ScrubbingSettings> = {}): unknown {
  return scrubValue(structuredClone(value), { ...defaultScrubbing, ...settings })
}

test('text is scrubbed wherever it stands, and other values stay', () => {
  const value = {
    a: ['token=x1', ['pin=x2', 7]],
    b: { c: 'to ada@x.test' },
    d: 7,
    e: true,
    f: null,
  }
  expect(scrubbed(value)).toEqual({
    a: ['token=[Filtered]', ['pin=[Filtered]', 7]],
    b: { c: 'to [email]' },
    d: 7,
    e: true,
    f: null,
  })
  for (const single of [7, true, null, undefined]) expect(scrubbed(single)).toBe(single)
  expect(scrubbed('/home/ada/x, token=x1')).toBe('/home/[Filtered]/x, token=[Filtered]')
})

test('objects and lists are scrubbed in place', () => {
  const list = ['token=x1']
  const record = { list, token: 'x1' }
  expect(scrubValue(record, defaultScrubbing)).toBe(record)
  expect(record).toEqual({ list: ['token=[Filtered]'], token: '[Filtered]' })
  expect(record.list).toBe(list)
})

test('a secret is hidden whole, whatever its shape; what says nothing stays', () => {
  const value = { a: { password: { deep: 'x1' }, token: ['x1'], pin: 8364 } }
  expect(scrubbed(value)).toEqual({
    a: { password: '[Filtered]', token: '[Filtered]', pin: '[Filtered]' },
  })
  const plain = { password: '', token: null, pin: false, secret: true }
  expect(scrubbed(plain)).toEqual(plain)
})

test('a list of two is a pair when the first is a name', () => {
  expect(scrubbed(['password', 'x1'])).toEqual(['password', '[Filtered]'])
  expect(scrubbed(['db[$pass-word.1]', 'x1'])).toEqual(['db[$pass-word.1]', '[Filtered]'])
  expect(scrubbed(['user.password', ['x1']])).toEqual(['user.password', '[Filtered]'])
  for (const list of [
    ['password', 'x1', 'x2'],
    ['password'],
    ['the password', 'x1'],
    ['password!', 'x1'],
    [`password${'x'.repeat(57)}`, 'x1'],
    [7, 'x1'],
  ]) {
    expect(scrubbed(list)).toEqual(list)
  }
  expect(scrubbed([`password${'x'.repeat(56)}`, 'x1'])).toContain('[Filtered]')
})

test('a pair of key or name and value is one', () => {
  expect(scrubbed({ key: 'password', value: 'x1', note: 'x1' })).toEqual({
    key: 'password',
    value: '[Filtered]',
    note: 'x1',
  })
  expect(scrubbed({ name: 'password', value: 'x1' })).toMatchObject({ value: '[Filtered]' })
  expect(scrubbed({ key: 'page', name: 'password', value: 'x1' })).toMatchObject({ value: 'x1' })
  expect(scrubbed({ name: 'password' })).toEqual({ name: 'password' })
  expect(scrubbed({ name: 7, value: 'x1' })).toEqual({ name: 7, value: 'x1' })
})

test('a count under a name like a secret’s stays, a text there does not', () => {
  expect(scrubbed({ max_tokens: 4096, session_count: 3, token: 4096 })).toEqual({
    max_tokens: 4096,
    session_count: 3,
    token: '[Filtered]',
  })
  expect(scrubbed({ max_tokens: '4096' })).toEqual({ max_tokens: '[Filtered]' })
})

test('a telephone number is hidden under its name; other text there is only scrubbed', () => {
  for (const phone of ['01234567', '+49 (30) 90 18', 4930901820]) {
    expect(scrubbed({ phone, other: phone })).toMatchObject({ phone: '[Filtered]' })
  }
  for (const phone of ['12345', 12345, 'iPhone 15', '012345x', 'x012345', '1    2345678']) {
    expect(scrubbed({ phone })).toEqual({ phone })
  }
  expect(scrubbed({ phone: '01234567' }, { storeContacts: true })).toEqual({ phone: '01234567' })
})

test('names of a machine or of the user lose only secrets', () => {
  expect(scrubbed({ 'user.email': 'ada@x.test', 'user.name': 'token=x1', note: 'ada@x.test' })) //
    .toEqual({ 'user.email': 'ada@x.test', 'user.name': 'token=[Filtered]', note: '[email]' })
  expect(scrubbed({ server: ['ada@x.test'] })).toEqual({ server: ['[email]'] })
})

test('the working directory of a shell is a path, anything else there a password', () => {
  for (const folder of ['/srv', '~/srv', 'C:\\srv']) {
    expect(scrubbed({ PWD: folder, OLDPWD: folder })).toEqual({ PWD: folder, OLDPWD: folder })
    expect(scrubbed({ pwd: folder, MYPWD: folder, PWDX_PWD: folder })).toEqual({
      pwd: '[Filtered]',
      MYPWD: '[Filtered]',
      PWDX_PWD: '[Filtered]',
    })
  }
  for (const other of ['hunter2', 'a/b', 'xC:\\srv', ['/srv']]) {
    expect(scrubbed({ PWD: other })).toEqual({ PWD: '[Filtered]' })
  }
})

test('projects of the same switches and no names of their own share their rules', () => {
  const settings = { ...defaultScrubbing }
  expect(scrubberOf(settings)).toBe(scrubberOf(settings))
  expect(scrubberOf(settings)).toBe(scrubberOf({ ...defaultScrubbing }))
  const own = { ...defaultScrubbing, sensitiveFields: ['iban'] }
  expect(scrubberOf(own)).toBe(scrubberOf(own))
  const others: Partial<ScrubbingSettings>[] = [
    { sensitiveFields: ['x'] },
    { safeFields: ['x'] },
    { defaults: false },
    { storeIpAddresses: true },
    { storeContacts: true },
  ]
  const scrubbers = others.map((other) => scrubberOf({ ...defaultScrubbing, ...other }))
  expect(new Set([scrubberOf(settings), ...scrubbers]).size).toBe(others.length + 1)
  expect(scrubberOf({ ...defaultScrubbing })).toBe(scrubberOf(settings))
})

test('a single text and a single member are scrubbed by the same rules', () => {
  expect(scrubText('token=x1', defaultScrubbing)).toBe('token=[Filtered]')
  expect(scrubText('/home/ada', defaultScrubbing)).toBe('/home/ada')
  expect(scrubMember('token', 'x1', scrubberOf(defaultScrubbing))).toBe('[Filtered]')
})
