import { expect, test } from 'vitest'
import { refusedStatus } from './refused-request.ts'

const get = (url: string, headers: Record<string, string> = {}) =>
  refusedStatus({ url, method: 'GET', headers })

test('pages are for GET and HEAD: every other method is 405, whatever headers say', () => {
  const headers: Record<string, string>[] = [
    {},
    { 'next-action': 'x' },
    { 'next-action': '7f'.repeat(21), 'content-type': 'text/plain;charset=UTF-8' },
    { 'next-action': '', 'content-type': 'multipart/form-data; boundary=x' },
    { 'x-http-method-override': 'GET' },
    { rsc: '1' },
  ]
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    for (const one of headers) {
      for (const url of ['/share/issue/0123456789abcdef', '/issues?a=b', '/', '/no/such/page']) {
        expect([method, one, refusedStatus({ method, url, headers: one })]).toEqual([
          method,
          one,
          405,
        ])
      }
    }
  }
  for (const method of ['GET', 'HEAD']) {
    expect(refusedStatus({ method, url: '/issues', headers: { 'next-action': 'x' } })).toBeNull()
  }
})

test('a path that cannot be decoded, or has control characters in it, is a 400', () => {
  for (const url of [
    '/%E0%A4%A',
    '/%',
    '/%0A/',
    '/a%00b',
    '/%09',
    '/issues/%0d%0aset-cookie:a',
    '/%7f',
  ]) {
    expect([url, get(url)]).toEqual([url, 400])
  }
  for (const url of ['/', '/issues?query=a%0Ab', '/a%20b', '/%E2%82%AC']) {
    expect([url, get(url)]).toEqual([url, null])
  }
})

function state(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

test('a router state that Next cannot read is a 400, one that it sends itself is not', () => {
  const sent = state(['', { children: ['issues', { children: ['__PAGE__', {}] }] }, null, null, 16])
  expect(get('/issues', { rsc: '1', 'next-router-state-tree': sent })).toBeNull()
  expect(get('/issues', { rsc: '1' })).toBeNull()
  for (const tree of [
    '',
    'x',
    '%',
    '{}',
    '[]',
    'null',
    state({}),
    state(['', 1]),
    `${sent}, ${sent}`,
  ]) {
    for (const url of ['/issues', '/no/such/page']) {
      expect([tree, get(url, { rsc: '1', 'next-router-state-tree': tree })]).toEqual([tree, 400])
    }
  }
})

test('the page of statuses is found by nobody', () => {
  for (const url of ['/status/405', '/status', '/%73tatus/500', '/_next/data/x/status/500.json']) {
    expect([url, get(url)]).toEqual([url, 404])
  }
})

test('S2 an error code that there is not is not found, also the first time', () => {
  for (const url of ['/errors/NOPE', '/errors/NOPE/', '/errors/queue_full', '/errors/%4EOPE?x']) {
    expect([url, get(url)]).toEqual([url, 404])
  }
  for (const url of ['/errors/QUEUE_FULL', '/errors/QUEUE_FULL?x', '/errors/%51UEUE_FULL']) {
    expect([url, get(url)]).toEqual([url, null])
  }
})
