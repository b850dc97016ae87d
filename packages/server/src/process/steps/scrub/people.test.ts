import { describe, expect, test } from 'vitest'
import { scrubAddresses, scrubContacts } from './people.ts'

describe('a mail address', () => {
  test.each([
    ['ada@example.com', '[email]'],
    ['<ada.lovelace+x@mail.example.co.uk>', '<[email]>'],
    ['"ada_l-2%40example.com"', '"[email]"'],
    ['löwe@müller.de, bob@x.test', '[email], [email]'],
    ['/users/ada@example.com/edit', '/users/[email]/edit'],
    ['ada@example.com.', '[email].'],
    ['ada@a.b.c.d.e.f.g.h.com', '[email]'],
    ['ada@v2.example.com', '[email]'],
    ['ada@jsx-fans.com', '[email]'],
    ['ada@example.community', '[email]'],
    ['digit@example.com', '[email]'],
  ])('in %j leaves %j', (text, expected) => expect(scrubContacts(text)).toBe(expected))

  test.each([
    'git@github.com',
    'git%40github.com',
    'app@1.2.3-beta.next',
    'app@v1.2.3',
    'lib@12.34.next',
    'logo@2x.png',
    ...'js jsx cjs mjs ts tsx vue svelte css htm html json map png jpg jpeg gif svg webp next rc beta alpha'
      .split(' ')
      .map((ending) => `fn@app.${ending}`),
    'fn@app.js:10',
    'ada@localhost',
    'ada@example.c',
    'ada@example.c0m',
    'ada@example.com-',
    '@scope.name',
    'ada@.com',
  ])('is not %s', (text) => expect(scrubContacts(text)).toBe(text))
})

describe('a telephone number', () => {
  test.each([
    ['call +49 30 901820-17 now', 'call [phone] now'],
    ['+1 (555) 123.4567', '[phone]'],
    ['+15551234567', '[phone]'],
    ['+33 1 23 45 67 89', '[phone]'],
    ['Tel. 01 23 45 67 89', 'Tel. [phone]'],
    ['+49/30/901820', '[phone]'],
    ['+49\u00a030\u00a0901820', '[phone]'],
    ['(555) 123-4567', '[phone]'],
    ['(555)123.4567', '[phone]'],
    ['1 (555) 123 4567', '[phone]'],
    ['1-(555)-123-4567', '[phone]'],
    ['555-123-4567', '[phone]'],
    ['555.123.4567', '[phone]'],
    ['1-555-123-4567', '[phone]'],
    ['1 555-123-4567', '[phone]'],
    ['0170 1234567', '[phone]'],
    ['030/901 820', '[phone]'],
    ['0170\u00a01234567', '[phone]'],
    ['0301 1234-56789', '[phone]'],
    ['0049301234567', '[phone]'],
    ['004930901820175', '[phone]'],
    ['Tel. 90182017', 'Tel. [phone]'],
    ['phone number: 901820', 'phone number: [phone]'],
    ['mobile no. 90-18-20', 'mobile no. [phone]'],
    ['Fax=+90182017', 'Fax=[phone]'],
    ['tel.no. 901820', 'tel.no. [phone]'],
    ['cell nr 901/820', 'cell nr [phone]'],
    ['telephone: (0)', 'telephone: (0)'],
  ])('in %j leaves %j', (text, expected) => expect(scrubContacts(text)).toBe(expected))

  test.each([
    '+0 301 234567',
    '+49 30',
    'x+49 30 901820',
    '+49 30 901820x',
    '7555-123-4567',
    '555-123-45678',
    '555-123.4567',
    '(555) 1234567',
    '0170  1234567',
    '170 1234567',
    '004930',
    '0004930123456',
    'phone 12345',
    'hotel 901820',
    'telex 901820',
    'phone 901820x',
    'iphone 901820',
    '2026-11-22',
  ])('is not %s', (text) => expect(scrubContacts(text)).toBe(text))
})

describe('the address of a machine', () => {
  test.each([
    ['refused by 203.0.113.9:5432', 'refused by [ip]:5432'],
    ['203.0.113.9, 198.51.100.249', '[ip], [ip]'],
    ['(255.254.199.1).', '([ip]).'],
    ['from 10.0.0.5', 'from [ip]'],
    ['10.127.0.5, 10.255.255.255', '[ip], [ip]'],
    ['99.100.250.0', '[ip]'],
    ['from 2001:db8:85a3::8a2e:370:7334', 'from [ip]'],
    ['[2001:DB8::1]:443', '[[ip]]:443'],
    ['2001:db8:1:2:3:4:5:6', '[ip]'],
    ['fe80::1c4, ::ffff', '[ip], ::ffff'],
  ])('in %j leaves %j', (text, expected) => expect(scrubAddresses(text)).toBe(expected))

  test.each([
    '127.0.0.1',
    '127.1.2.3',
    '255.255.255.0',
    '120.0.0.0',
    'v1.2.3.4',
    'version 10.0.19.3',
    'Version: 10.0.19.3',
    'Chrome/120.0.1.2',
    'http://10.0.0.5:8080',
    'app@10.0.0.5',
    'a10.0.0.5',
    '10.0.0.5a',
    '10.0.0.5-1',
    '10.0.0.5.6',
    '256.1.1.1',
    '1.2.3',
    '12:34:56',
    'a9:b1:c3:d4:e5:f6',
    '::1',
    'std::vector',
    'face::cafe::beef',
    'x2001:db8::1',
    '2001:db8::1x',
    '1:2:3:4:5:6:7:8:9',
  ])('is not %s', (text) => expect(scrubAddresses(text)).toBe(text))
})
