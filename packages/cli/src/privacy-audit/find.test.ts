import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findCanaries, textsOf } from './find.ts'
import { places } from './index.ts'

const secret = 'canary001z'
const place = places[1]

test.each([
  ['as it is', Buffer.from(`{"a":"${secret}"}`)],
  ['in capitals', Buffer.from(secret.toUpperCase())],
  ['with percents', Buffer.from('q=%63anary001z')],
  ['with escapes', Buffer.from('"\\u0063anary001z"')],
  ['in gzip', gzipSync(secret)],
  [
    'in zlib behind a header',
    Buffer.concat([Buffer.from('{"segment_id":0}\n'), deflateSync(secret)]),
  ],
  ['in zlib cut short', deflateSync(secret.repeat(50), { level: 0 }).subarray(0, 200)],
  ['in brotli', brotliCompressSync(secret)],
  ['in bare deflate', deflateRawSync(secret.repeat(20))],
  [
    'in base64',
    Buffer.from(`data:text/plain;base64,${Buffer.from(`Hello to ${secret}`).toString('base64')}`),
  ],
  ['in gzip in base64', Buffer.from(JSON.stringify({ data: gzipSync(secret).toString('base64') }))],
])('a canary is found %s', (_, bytes) => {
  expect(textsOf(bytes).some((text) => text.includes(secret))).toBe(true)
})

test('empty bytes are not an error', () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from([0x1f, 0x8b, 1]),
    Buffer.from([0x78, 0x9c, 0xff]),
  ]) {
    expect(textsOf(bytes).every((text) => !text.includes(secret))).toBe(true)
  }
})

function found(url: string, headers: Record<string, string> = {}, body = ''): string[] {
  expect(place?.canary).toBe(secret)
  const request = { method: 'POST', url, headers, body: Buffer.from(body) }
  return findCanaries(request, places, 'https://shop.test').map(
    (it) => `${it.place.name}: ${it.where}`,
  )
}

test('addresses, headers and bodies are looked at, and the place is named', () => {
  const name = place?.name ?? ''
  expect(found(`https://errors.test/?a=${secret}`)).toEqual([`${name}: address`])
  expect(found('https://errors.test/', { 'x-user': secret })).toEqual([`${name}: header x-user`])
  expect(found('https://errors.test/', {}, secret)).toEqual([`${name}: body`])
  expect(found('https://errors.test/', {}, 'canary')).toEqual([])
})

test('a request that the browser makes by itself is not a report', () => {
  const headers = { cookie: `a=${secret}`, referer: `https://shop.test/?a=${secret}` }
  expect(found('https://shop.test/monitoring', headers)).toEqual([])
  expect(found('https://errors.test/', headers)).toHaveLength(2)
  expect(found(`https://shop.test/?a=${secret}`, { 'sec-fetch-dest': 'document' })).toEqual([])
})
