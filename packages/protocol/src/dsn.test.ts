import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDsn, parseDsn } from './dsn.ts'
import type { Dsn } from './dsn.ts'

const key = '6079c49232be7d5d595de899f0cdd331'

function parse(text: string): Dsn {
  const dsn = parseDsn(text)
  if (dsn === null) throw new Error(`${text} was not read`)
  return dsn
}

test('a DSN has scheme, key, host, port, path and project', () => {
  expect(parse(`https://${key}@errors.example.test:8443/in/here/42`)).toEqual({
    scheme: 'https',
    publicKey: key,
    host: 'errors.example.test:8443',
    path: '/in/here',
    projectId: 42,
  })
})

test('the old form with a secret, a port, capitals and an address in brackets are read', () => {
  expect(parse(`http://${key.toUpperCase()}:secret@localhost:80/1`)).toEqual({
    scheme: 'http',
    publicKey: key,
    host: 'localhost:80',
    path: '',
    projectId: 1,
  })
  expect(parse(`http://${key}@[::1]:9000/1`).host).toBe('[::1]:9000')
})

test.each([
  '',
  'not a url',
  key,
  `https://errors.example.test/42`,
  `https://@errors.example.test/42`,
  `https://${key}@errors.example.test`,
  `https://${key}@errors.example.test/`,
  `https://${key}@errors.example.test/42/`,
  `https://${key}@errors.example.test/shop`,
  `https://${key}@errors.example.test/0`,
  `https://${key}@errors.example.test/-1`,
  `https://${key}@errors.example.test/1.5`,
  `https://${key}@errors.example.test/99999999999999999999`,
  `ftp://${key}@errors.example.test/42`,
  `javascript:alert(1)`,
  `https://${key}@/42`,
  `https://a%20b@errors.example.test/42`,
  `https://${key}@evil.test\\@errors.example.test/42`,
  `https://${key}@errors.example.test/42?a=b`,
  `https://${key}@errors.example.test/42#a`,
])('%j is not a valid DSN', (text) => {
  expect(parseDsn(text)).toBeNull()
})

test('a DSN that was read is written as it was, less its secret', () => {
  const text = `https://${key}@errors.example.test:8443/in/42`
  expect(formatDsn(parse(text))).toBe(text)
  expect(formatDsn(parse(text.replace('@', ':secret@')))).toBe(text)
})

test('any text gives a DSN that survives writing and can be posted to, or null', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true }),
    fc.webUrl().map((url) => `${url.replace('://', `://${key}@`)}/7`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const dsn = parseDsn(text)
      if (dsn === null) return
      expect(parse(formatDsn(dsn))).toEqual(dsn)
    }),
  )
})
