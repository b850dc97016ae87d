import { expect, test } from 'vitest'
import type { SdkEvent } from '@afterimage/browser'
import { createClient } from '@afterimage/sdk-core/client'
import { dsn } from '@afterimage/sdk-core/testing/fake-network'
import { cancelledRoutes, frameworkErrors } from './framework-errors.ts'

/** Processes an error with this message; null when it is discarded. */
function processed(
  value: string,
  { thrown, event = {} }: { thrown?: unknown; event?: Partial<SdkEvent> } = {},
): SdkEvent | null | undefined {
  const given = { exception: { values: [{ type: 'Error', value }] }, ...event }
  const hint = { originalException: thrown }
  const named = frameworkErrors().processEvent?.(given, hint, null as never)
  return named && cancelledRoutes().processEvent?.(named, hint, null as never)
}

test.each([
  'Route Cancelled',
  'Loading initial props cancelled',
  'Cancel rendering route',
  'Abort fetching component for route: "/gift/[slug]"',
])(
  'S6 a cancelled navigation is not an event, and is counted under its own reason: %s',
  (message) => {
    const client = createClient({ dsn }, [cancelledRoutes(), frameworkErrors()])!
    client.capture({ exception: { values: [{ type: 'Error', value: message }] } })
    expect([...client.discards]).toEqual([['route_cancelled:error', 1]])
  },
)

test('S6 an error that only sounds like a cancelled navigation is kept', () => {
  for (const message of ['Route Cancelled by the user', 'My Route Cancelled', 'cancelled']) {
    expect(processed(message)?.exception?.values[0]).toEqual({ type: 'Error', value: message })
  }
})

test('S6 failed static props have a title and a group of their own', () => {
  expect(processed('Failed to load static props')).toMatchObject({
    exception: { values: [{ type: 'FailedStaticProps', value: 'Failed to load static props' }] },
    fingerprint: ['next', 'failed-static-props'],
    tags: { 'next.error': 'failed-static-props' },
  })
  expect(processed('Failed to load static props!')?.fingerprint).toBeUndefined()
})

test('S6 invalid relative URLs share a title, whatever the URL, whose query is not sent', () => {
  const message = 'invariant: invalid relative URL, router received https://a.test/x?token=secret'
  expect(processed(message)).toMatchObject({
    exception: { values: [{ type: 'InvalidRelativeUrl', value: 'invalid relative URL' }] },
    fingerprint: ['next', 'invalid-relative-url'],
    contexts: { next: { received: 'https://a.test/x?token=*' } },
  })
})

test('a fingerprint of the page’s own stays', () => {
  const event = { fingerprint: ['mine'] }
  expect(processed('Failed to load static props', { event })?.fingerprint).toEqual(['mine'])
})

test.each([
  [418, 'Minified React error #418; visit https://react.dev/errors/418?args[]=text for more'],
  [425, 'Minified React error #425; visit https://react.dev/errors/425'],
  [undefined, 'Hydration failed because the server rendered text didn’t match the client.'],
])('hydration errors (%s) share a title and are grouped by page', (code, message) => {
  const event = processed(message, { event: { transaction: '/delivery' } })
  expect(event?.exception?.values[0]?.type).toBe('HydrationError')
  // The recorder knows hydration errors by these words.
  expect(event?.exception?.values[0]?.value).toMatch(/^Hydration failed because/)
  expect(event?.fingerprint).toEqual(['next', 'hydration', '/delivery'])
  expect(event?.contexts?.react?.error).toBe(code)
})

test('other errors of React are left alone', () => {
  expect(processed('Minified React error #185; visit …')?.fingerprint).toBeUndefined()
  expect(processed('Minified React error #4180; visit …')?.fingerprint).toBeUndefined()
})

test('S10 redirects are discarded, by digest, through five causes, or by their only words', () => {
  const digest = 'NEXT_REDIRECT;replace;/basket;307;'
  expect(processed('x', { thrown: { digest } })).toBeNull()
  const nested = (depth: number): unknown =>
    depth === 0 ? { digest } : { cause: nested(depth - 1) }
  expect(processed('x', { thrown: nested(5) })).toBeNull()
  expect(processed('x', { thrown: nested(6) })).not.toBeNull()
  expect(processed('NEXT_REDIRECT')).toBeNull()
})

test('S10 an error that is not a redirect is kept', () => {
  expect(processed('NEXT_REDIRECTED')).not.toBeNull()
  for (const digest of ['NEXT_REDIRECT', 'NEXT_NOT_FOUND', 42, undefined]) {
    expect(processed('x', { thrown: { digest } })).not.toBeNull()
  }
  for (const thrown of [null, undefined, 'NEXT_REDIRECT;', 1]) {
    expect(processed('x', { thrown })).not.toBeNull()
  }
})

test('transactions and events without an exception pass', () => {
  const { processEvent } = frameworkErrors()
  const transaction: SdkEvent = { type: 'transaction', transaction: 'Route Cancelled' }
  expect(processEvent?.(transaction, {}, null as never)).toBe(transaction)
  const message: SdkEvent = { message: 'Route Cancelled' }
  expect(processEvent?.(message, {}, null as never)).toBe(message)
})
