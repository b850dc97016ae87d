import { itemTypeFacts } from '@afterimage/protocol/item-type'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { categoryOf } from './envelope.ts'
import { sdk } from './version.ts'

test.each([
  'event',
  'transaction',
  'span',
  'session',
  'feedback',
  'attachment',
  'client_report',
  'replay_event',
  'replay_recording',
])('items of type %s count under the category of the protocol', (type) => {
  expect(categoryOf(type)).toBe(itemTypeFacts(type).category)
})

test('the client calls itself by the version of its manifest', () => {
  expect(sdk.version).toBe(manifest.version)
})
