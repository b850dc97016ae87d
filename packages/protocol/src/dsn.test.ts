import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dsnEndpoint, formatDsn, parseDsn } from './dsn.ts'
import type { Dsn } from './dsn.ts'
import { isRefusal } from './outcome.ts'

const key = '6079c49232be7d5d595de899f0cdd331'

function parse(text: string): Dsn {
  const dsn = parseDsn(text)
  if (isRefusal(dsn)) throw new Error(dsn.detail)
  return dsn
}

test('a DSN has scheme, key, host, port, path and project', () => {
  expect(parse(`https://${key}@errors.example.test:8443/in/here/42`)).toEqual({
    scheme: 'https',
    publicKey: key,
    secretKey: null,
    host: 'errors.example.test:8443',
    path: '/in/here',
    projectId: 42,
  })
})

test('the old form with a secret, the default port, capitals and an address in brackets are read', () => {
  expect(parse(`http://${key.toUpperCase()}:secret@localhost:80/1`)).toMatchObject({
    publicKey: key,
    secretKey: 'secret',
    host: 'localhost',
    path: '',
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
  `https://${key}@errors.example.test/${'a/'.repeat(2000)}42`,
])('%j is no DSN', (text) => {
  expect(parseDsn(text)).toMatchObject({ reason: 'invalid_dsn' })
})

test('the endpoint of each kind carries the key in its query', () => {
  const dsn = parse(`https://${key}@errors.example.test/in/42`)
  const base = 'https://errors.example.test/in/api/42'
  expect(dsnEndpoint(dsn, 'envelope')).toBe(`${base}/envelope/?sentry_key=${key}&sentry_version=7`)
  expect(dsnEndpoint(dsn, 'envelope', 'a b/1.0')).toBe(
    `${base}/envelope/?sentry_key=${key}&sentry_version=7&sentry_client=a%20b%2F1.0`,
  )
  expect(dsnEndpoint(dsn, 'security')).toBe(`${base}/security/?sentry_key=${key}`)
})

test('a DSN that was read is written as it was, less its secret', () => {
  const text = `https://${key}@errors.example.test:8443/in/42`
  expect(formatDsn(parse(text))).toBe(text)
  expect(formatDsn(parse(text.replace('@', ':secret@')))).toBe(text)
})

test('any text gives a DSN that survives writing, or a refusal', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true }),
    fc.webUrl().map((url) => `${url.replace('://', `://${key}@`)}/7`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const dsn = parseDsn(text)
      if (!isRefusal(dsn)) expect(parse(formatDsn(dsn))).toEqual({ ...dsn, secretKey: null })
    }),
  )
})
