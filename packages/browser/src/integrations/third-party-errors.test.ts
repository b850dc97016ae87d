import {
  captureMessage,
  captureThrown,
  close,
  flush,
  getClient,
  start,
} from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, expect, test, vi } from 'vitest'
import { thirdPartyErrorFilter } from './third-party-errors.ts'
import type { ThirdPartyErrorFilterOptions } from './third-party-errors.ts'

const own = 'https://shop.test/app.js'
const foreign = 'https://widgets.test/chat.js'

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

/** Reports an error whose frames are in these files; null when it was discarded. */
async function report(options: ThirdPartyErrorFilterOptions, files: readonly string[]) {
  const network = fakeNetwork()
  start({ dsn }, [thirdPartyErrorFilter(options)])
  const error = new Error('failed')
  error.stack = ['Error: failed', ...files.map((file) => `    at f (${file}:1:1)`)].join('\n')
  captureThrown(error)
  await flush()
  return network.events()[0] ?? null
}

test.each([
  ['drop-error-if-contains-third-party-frames', [own, foreign], 'discarded'],
  ['drop-error-if-contains-third-party-frames', [own], 'sent'],
  ['drop-error-if-exclusively-contains-third-party-frames', [own, foreign], 'sent'],
  ['drop-error-if-exclusively-contains-third-party-frames', [foreign], 'discarded'],
  ['apply-tag-if-contains-third-party-frames', [own, foreign], 'marked'],
  ['apply-tag-if-exclusively-contains-third-party-frames', [own, foreign], 'sent'],
  ['apply-tag-if-exclusively-contains-third-party-frames', [foreign], 'marked'],
] as const)('%s: an error in %j is %s', async (behaviour, files, fate) => {
  const debugIds = { [`Error\n    at ${own}:1:1`]: 'b'.repeat(32) }
  for (const ownUrls of [[/^https:\/\/shop\.test\//], undefined]) {
    vi.stubGlobal('_afterimageDebugIds', ownUrls ? undefined : debugIds)
    const event = await report({ behaviour, ...(ownUrls && { ownUrls }) }, files)
    const mark = event?.tags?.['third_party_code'] ? 'marked' : 'sent'
    expect(event ? mark : 'discarded').toBe(fate)
  }
})

test('without patterns, and without debug ids on the page, nothing is discarded', async () => {
  const behaviour = 'drop-error-if-contains-third-party-frames'
  expect(await report({ behaviour }, [foreign])).not.toBeNull()
})

test('messages and errors without frames are the application’s own', async () => {
  const behaviour = 'drop-error-if-contains-third-party-frames'
  expect(await report({ behaviour, ownUrls: ['shop'] }, [])).not.toBeNull()
  captureMessage('hello')
  expect([...getClient()!.discards]).toEqual([])
})
