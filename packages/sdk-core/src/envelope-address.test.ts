import { parseDsn } from '@afterimage/protocol/dsn'
import { expect, test } from 'vitest'
import { envelopeAddress } from './envelope-address.ts'
import type { Options } from './options.ts'

const key = 'a'.repeat(32)

test.each<[dsn: string, options: Omit<Options, 'dsn'>, address: string]>([
  [`https://${key}@errors.test/42`, {}, '/monitoring?o=1&p=42'],
  [`https://${key}@o77.ingest.sentry.io/42`, {}, '/monitoring?o=77&p=42'],
  [`https://${key}@o77.ingest.de.sentry.io/42`, {}, '/monitoring?o=77&p=42&r=de'],
  [`https://${key}@errors.test/42`, { region: 'us' }, '/monitoring?o=1&p=42&r=us'],
  [`https://${key}@errors.test/42`, { tunnelPath: '/t' }, '/t?o=1&p=42'],
  [`https://${key}@errors.test/42`, { tunnel: 'https://a.test/t' }, 'https://a.test/t?o=1&p=42'],
])('S7 %s with %j goes to %s', (dsn, options, address) => {
  expect(envelopeAddress(parseDsn(dsn)!, { dsn, ...options })).toBe(address)
})

test('without the tunnel the address is on the host of the DSN, in a form that no filter list blocks', () => {
  const dsn = `https://${key}@errors.test:8443/base/42`
  const address = envelopeAddress(parseDsn(dsn)!, { dsn, tunnel: false })
  expect(address).toBe('https://errors.test:8443/base/api/42/envelope/')
})

test('a tunnel that has a query keeps it', () => {
  const dsn = `https://${key}@errors.test/42`
  const address = (options: Partial<Options>): string =>
    envelopeAddress(parseDsn(dsn)!, { dsn, ...options })
  expect(address({ tunnel: '/t?tenant=7' })).toBe('/t?tenant=7&o=1&p=42')
  expect(address({ tunnelPath: '/t?tenant=7', region: 'eu' })).toBe('/t?tenant=7&o=1&p=42&r=eu')
})
