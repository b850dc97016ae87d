import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { mayReadMetrics } from './metrics-access.ts'

const isApiToken = async (secret: string): Promise<boolean> => secret === 'ait_0'

function from(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

test.for([
  ['127.0.0.1', {}],
  ['127.8.9.10', {}],
  ['::1', {}],
  ['::ffff:127.0.0.1', {}],
  ['203.0.113.9', { authorization: 'Bearer ait_0' }],
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9', authorization: 'bearer ait_0' }],
] as const)('%s with %j may read them', async ([address, headers]) => {
  expect(await mayReadMetrics(from(address, headers), isApiToken)).toBe(true)
})

test.for([
  [undefined, {}],
  ['203.0.113.9', {}],
  ['10.0.0.7', {}],
  ['::ffff:203.0.113.9', {}],
  ['fe80::1', {}],
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
  ['127.0.0.1', { 'x-forwarded-for': '' }],
  ['::1', { forwarded: 'for=127.0.0.1' }],
  ['127.0.0.1', { via: '1.1 proxy' }],
  ['127.0.0.1', { authorization: 'Bearer wrong' }],
  ['127.0.0.1', { authorization: 'Basic YTpi' }],
  ['203.0.113.9', { authorization: 'Bearer ' }],
] as const)('%s with %j may not', async ([address, headers]) => {
  expect(await mayReadMetrics(from(address, headers), isApiToken)).toBe(false)
})
