import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { Integration } from '@afterimage/sdk-core/integration'

/** Recordings, storage and whole pages are tested in `e2e/sdk-settings.spec.ts`. */

let network: FakeNetwork
let page: typeof import('./consent.ts') & typeof import('@afterimage/sdk-core/api')

beforeEach(async () => {
  // Each test is a page of its own.
  vi.resetModules()
  page = { ...(await import('@afterimage/sdk-core/api')), ...(await import('./consent.ts')) }
  network = fakeNetwork()
  vi.stubGlobal('document', { referrer: '' })
  vi.stubGlobal('location', { href: 'https://shop.test/' })
})

afterEach(async () => {
  await page.close(0)
  vi.unstubAllGlobals()
})

async function send(text: string): Promise<unknown> {
  page.captureMessage(text)
  await page.flush()
  return network.events().map(({ message }) => message)
}

test('a client begins with consent, ends without it, and begins anew', async () => {
  const { captureMessage, consent, getClient, requireConsent, start, withdrawConsent } = page
  requireConsent(() => start({ dsn }, []))
  expect(await send('before')).toEqual([])
  consent()
  consent()
  expect(await send('with')).toEqual(['with'])
  captureMessage('in flight')
  withdrawConsent()
  captureMessage('while it ends')
  await vi.waitFor(() => expect(getClient()).toBeNull())
  expect(await send('without')).toEqual(['with', 'in flight'])
  consent()
  expect(await send('again')).toEqual(['with', 'in flight', 'again'])
})

test('an integration is set up with consent, in its place, and undone without it', async () => {
  const { consent, requireConsent, start, withdrawConsent } = page
  const steps: string[] = []
  const own: Integration & { readonly stop: (isFlushed: boolean) => void } = {
    name: 'own',
    setup() {
      steps.push('set up')
      return [() => steps.push('undone')]
    },
    restrict: () => void steps.push('restricted'),
    stop: (isFlushed) => void steps.push(`stopped ${isFlushed}`),
    processEvent: (event) => ({ ...event, message: `${event.message} seen` }),
  }
  const last: Integration = {
    name: 'last',
    processEvent: (event) => ({ ...event, message: `${event.message} last` }),
  }
  const client = start({ dsn }, [requireConsent(own), last])
  client?.integrations[0]?.restrict?.({})
  expect(await send('a')).toEqual(['a last'])
  consent()
  expect(await send('b')).toEqual(['a last', 'b seen last'])
  withdrawConsent()
  expect(await send('c')).toEqual(['a last', 'b seen last', 'c last'])
  expect(steps).toEqual(['restricted', 'set up', 'stopped false', 'undone'])
})

test('with consent given before, a client begins at once', async () => {
  const { consent, requireConsent, start } = page
  consent()
  requireConsent(() => start({ dsn }, []))
  expect(await send('at once')).toEqual(['at once'])
})
