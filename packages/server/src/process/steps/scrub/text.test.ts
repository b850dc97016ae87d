import { describe, expect, test } from 'vitest'
import type { ScrubbingSettings } from '../../items/item.ts'
import { defaultScrubbing } from './settings.ts'
import { rulesOf } from './text.ts'

const rules = rulesOf(defaultScrubbing)

describe('text', () => {
  test.each([
    // Names and passwords in addresses.
    ['//a:b@x/', '//[Filtered]@x/'],
    ['postgres://app:p%40ss@db/shop', 'postgres://[Filtered]@db/shop'],
    ['http://x/@y', 'http://x/@y'],
    ['http://[Filtered]@x', 'http://[Filtered]@x'],
    ['http:///@x', 'http:///@x'],
    ['http://a b@x', 'http://a b@x'],
    ...Array.from('/?#"\'<>', (sign) => [`http://x${sign}y@z`, `http://x${sign}y@z`]),
    // Schemes of authorization, and words of prose.
    ['Bearer abc123', 'Bearer [Filtered]'],
    ['basic dXNlcjpw==', 'basic [Filtered]'],
    ['BEARER    aBcdef', 'BEARER [Filtered]'],
    ['bearer abcdef=', 'bearer [Filtered]'],
    ['bearer abcde1, x', 'bearer abcde1, x'.replace('abcde1', '[Filtered]')],
    ['bearer abcd1', 'bearer abcd1'],
    ['basic information', 'basic information'],
    ['bearer Authentication', 'bearer Authentication'],
    ['forbearer abc123', 'forbearer abc123'],
    ['bearer.abc123', 'bearer.abc123'],
    ['bearer     abc123', 'bearer     abc123'],
    // The shortest tokens, alone.
    ['xoxb-abcdefgh', '[Filtered]'],
    ['s_live_abcdefgh', '[Filtered]'],
    ['eyJabcde.abcd', '[Filtered]'],
    // Codes that are said.
    ['PIN 836', 'PIN [Filtered]'],
    ['puk: 83641728', 'puk: [Filtered]'],
    ['CVV is 837.', 'CVV is [Filtered].'],
    ['cvv2=837', 'cvv2=[Filtered]'],
    ['cvc 837', 'cvc [Filtered]'],
    ['cvc2 837', 'cvc2 [Filtered]'],
    ['csc number 837', 'csc number [Filtered]'],
    ['otp code 836417', 'otp code [Filtered]'],
    ['passcode was 8364', 'passcode was [Filtered]'],
    ['security code of 837', 'security code of [Filtered]'],
    ['verification code 836417', 'verification code [Filtered]'],
    ['one-time code 836417', 'one-time code [Filtered]'],
    ['one time code 836417', 'one time code [Filtered]'],
    ['login code: 836417', 'login code: [Filtered]'],
    ['PIN 83', 'PIN 83'],
    ['PIN 836417283', 'PIN 836417283'],
    ['PIN 836-1', 'PIN 836-1'],
    ['PIN 836.1', 'PIN 836.1'],
    ['pin 836:10', 'pin 836:10'],
    ['spin 836', 'spin 836'],
    ['code 836417', 'code 836417'],
    ['pin    8364', 'pin    8364'],
    // Keys between their lines; one that was cut goes to the end.
    [
      'a -----BEGIN KEY-----\nx\n-----END KEY----- b -----BEGIN PGP PRIVATE KEY BLOCK-----\ny\n-----END z',
      'a -----BEGIN KEY-----[Filtered]-----END KEY----- b -----BEGIN PGP PRIVATE KEY BLOCK-----[Filtered]-----END z',
    ],
    ['-----BEGIN EC2 PRIVATE KEY-----\nx', '-----BEGIN EC2 PRIVATE KEY-----[Filtered]'],
    ['-----BEGIN CERTIFICATE-----\nx', '-----BEGIN CERTIFICATE-----\nx'],
    // All the others.
    ['card 4111 1111 1111 1111', 'card [Filtered]'],
    ['ghp_abcdefghijklmnopqrst', '[Filtered]'],
    ['AKIAIOSFODNN7EXAMPLE', '[Filtered]'],
    ['AKIAIOSFODNNAEXAMPLE', 'AKIAIOSFODNNAEXAMPLE'],
    ['token%3Dx1', 'token%3D[Filtered]'],
    ['pin=x', 'pin=[Filtered]'],
    ['pin:x1', 'pin:[Filtered]'],
    ['a@x.test, 203.0.113.9', '[email], [ip]'],
    ['a%40x.test', '[email]'],
    ['+4930901820', '[phone]'],
    ['', ''],
  ] as [string, string][])('of %j stays %j', (text, expected) => {
    expect(rules.text(text)).toBe(expected)
  })

  test('keeps home folders, and paths do not', () => {
    for (const [path, expected] of [
      ['/home/ada/x', '/home/[Filtered]/x'],
      ['/Users/ada smith', '/Users/[Filtered] smith'],
      ['C:\\Users\\ada\\x', 'C:\\Users\\[Filtered]\\x'],
      ['"/home/ada"', '"/home/[Filtered]"'],
      ['/home/[Filtered]/x', '/home/[Filtered]/x'],
      ['/home//x', '/home//x'],
      ['/homes/ada', '/homes/ada'],
      ['xC:\\Users\\ada', 'xC:\\Users\\ada'],
    ] as const) {
      expect(rules.text(path)).toBe(path)
      expect(rules.paths(path)).toBe(expected)
    }
    expect(rules.paths('/home/ada pin=x')).toBe('/home/[Filtered] pin=[Filtered]')
  })
})

test('secrets alone go from what names a person on purpose', () => {
  expect(rules.secrets('a@x.test 203.0.113.9 token=x1')).toBe(
    'a@x.test 203.0.113.9 token=[Filtered]',
  )
})

test('a line of a program loses its literals alone, and personal data', () => {
  expect(rules.source('token = next() // a@x.test')).toBe('token = next() // [email]')
  expect(rules.source('token = "x1"')).toBe('token = [Filtered]')
})

test.each<[Partial<ScrubbingSettings>, string]>([
  [{}, '[email], [phone], [ip] token=[Filtered]'],
  [{ storeContacts: true }, 'a@x.test, +4930901820, [ip] token=[Filtered]'],
  [{ storeIpAddresses: true }, '[email], [phone], 203.0.113.9 token=[Filtered]'],
  [{ defaults: false }, 'a@x.test, +4930901820, 203.0.113.9 token=x1'],
])('a project that has chosen %j stores %j', (settings, expected) => {
  const own = rulesOf({ ...defaultScrubbing, ...settings })
  expect(own.text('a@x.test, +4930901820, 203.0.113.9 token=x1')).toBe(expected)
})

test('with the defaults off all text stays', () => {
  const { secrets, text, paths, source } = rulesOf({ ...defaultScrubbing, defaults: false })
  for (const rule of [secrets, text, paths, source]) {
    expect(rule('/home/ada token="x1"')).toBe('/home/ada token="x1"')
  }
})
