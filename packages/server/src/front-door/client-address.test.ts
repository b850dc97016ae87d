import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import type { TrustProxy } from '../config.ts'
import { createClientAddressReader } from './client-address.ts'

function addressOf(
  trust: TrustProxy,
  remote: string | undefined,
  forwarded?: string,
): string | null {
  const request = {
    socket: { remoteAddress: remote },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }
  return createClientAddressReader(trust)(request as unknown as IncomingMessage)
}

it('believes no header when no proxy is trusted', () => {
  expect(addressOf({ type: 'none' }, '192.0.2.1', '6.6.6.6')).toBe('192.0.2.1')
  expect(addressOf({ type: 'none' }, '::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(addressOf({ type: 'none' }, undefined, '6.6.6.6')).toBeNull()
})

it('counts proxies from the near end of the list', () => {
  const list = '6.6.6.6, 192.0.2.2, 192.0.2.3'
  expect(addressOf({ type: 'hops', count: 1 }, '10.0.0.1', list)).toBe('192.0.2.3')
  expect(addressOf({ type: 'hops', count: 2 }, '10.0.0.1', list)).toBe('192.0.2.2')
  expect(addressOf({ type: 'hops', count: 9 }, '10.0.0.1', list)).toBe('6.6.6.6')
  expect(addressOf({ type: 'hops', count: 1 }, '10.0.0.1')).toBe('10.0.0.1')
})

it('goes back over trusted networks to the first address outside them', () => {
  const trust = { type: 'networks', cidrs: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.3'] } as const
  expect(addressOf(trust, '10.0.0.1', '6.6.6.6, 192.0.2.2, 192.0.2.3')).toBe('192.0.2.2')
  expect(addressOf(trust, '::ffff:10.0.0.1', '192.0.2.2, 2001:db8::1')).toBe('192.0.2.2')
  expect(addressOf(trust, '192.0.2.9', '6.6.6.6')).toBe('192.0.2.9')
  expect(addressOf(trust, '10.0.0.1', '10.0.0.2, 10.0.0.3')).toBe('10.0.0.2')
})

it('takes ports and brackets off, and refuses what is not a valid address', () => {
  const trust = { type: 'hops', count: 1 } as const
  expect(addressOf(trust, '10.0.0.1', '192.0.2.2:5555')).toBe('192.0.2.2')
  expect(addressOf(trust, '10.0.0.1', '[2001:DB8::1]:443')).toBe('2001:db8::1')
  expect(addressOf(trust, '10.0.0.1', 'unknown')).toBeNull()
  expect(addressOf(trust, '10.0.0.1', '<script>')).toBeNull()
})
