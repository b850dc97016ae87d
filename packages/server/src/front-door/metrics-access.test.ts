import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { refusalOfMetrics, type RightsOfToken } from './metrics-access.ts'

const rightsOf: RightsOfToken = async (secret) =>
  ({ ait_0: ['read', 'write'], ait_1: ['metrics'], ait_2: ['write'], ait_3: [] } as const)[
    secret
  ] ?? null

async function statusFor(
  address: string | undefined,
  headers: Record<string, string>,
): Promise<number | null> {
  return (await refusalOfMetrics(from(address, headers), rightsOf))?.status ?? null
}

function from(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

test.for([
  ['127.0.0.1', {}],
  ['127.8.9.10', {}],
  ['::1', {}],
  ['::ffff:127.0.0.1', {}],
  ['203.0.113.9', { authorization: 'Bearer ait_0' }],
  ['203.0.113.9', { authorization: 'Bearer ait_1' }],
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9', authorization: 'bearer ait_0' }],
] as const)('%s with %j may read them', async ([address, headers]) => {
  expect(await statusFor(address, headers)).toBe(null)
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
  expect(await statusFor(address, headers)).toBe(401)
})

test.for(['ait_2', 'ait_3'])(
  'the token %s, which has neither right, may not, not even from this machine',
  async (secret) => {
    expect(await statusFor('127.0.0.1', { authorization: `Bearer ${secret}` })).toBe(403)
  },
)
