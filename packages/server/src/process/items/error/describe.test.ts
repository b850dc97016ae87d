import { isRefusal } from '@afterimage/protocol/outcome'
import { expect, test } from 'vitest'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { normalizeEvent } from '../../steps/normalize/index.ts'
import { describeEvent } from './describe.ts'
import type { EventDescription } from './describe.ts'
import { isHandled, tagsOf } from './tags.ts'

function read(raw: Record<string, unknown>) {
  const event = normalizeEvent(raw, itemContext(envelopeOf('event', raw), 0))
  if (isRefusal(event)) throw new Error(event.detail)
  return event
}

function described(raw: Record<string, unknown>): EventDescription {
  return describeEvent(read(raw))
}

test.each([
  [
    {
      exception: [
        { type: 'A', value: 'cause' },
        { type: 'B', value: 'last\nline' },
      ],
    },
    'B: last',
  ],
  [{ exception: [{ type: 'A' }] }, 'A'],
  [{ exception: [{ type: 'A', value: '\n \n  second' }] }, 'A: second'],
  [{ exception: [{ value: 'just words' }] }, 'just words'],
  [{ exception: [{ stacktrace: { frames: [{ function: 'pay' }] } }] }, 'pay'],
  [{ exception: [{ stacktrace: { frames: [{ lineno: 1 }] } }] }, '<unknown>'],
  [{ message: 'hello\nworld' }, 'hello'],
  [{ exception: [{ type: 'A', value: 'x' }], message: 'not this' }, 'A: x'],
  [{}, '<unlabeled event>'],
])('%j is titled %s', (raw, title) => {
  expect(described(raw).title).toBe(title)
})

test('a long title is cut to 256 characters', () => {
  const { title } = described({ exception: [{ type: 'A', value: 'x'.repeat(1000) }] })
  expect(title).toHaveLength(256)
  expect(title.endsWith('...')).toBe(true)
})

test('the culprit is the transaction, else the newest frame of the application', () => {
  const frames = [
    { function: 'pay', filename: '/app/pay.js', in_app: true },
    { function: 'send', filename: '/app/node_modules/x.js', in_app: true },
  ]
  const raw = { platform: 'node', exception: [{ type: 'A', stacktrace: { frames } }] }
  expect(described({ ...raw, transaction: 'POST /pay' }).culprit).toBe('POST /pay')
  expect(described(raw)).toMatchObject({
    culprit: 'pay(/app/pay.js)',
    location: '/app/pay.js',
    metadata: { type: 'A', filename: '/app/pay.js', function: 'pay' },
  })
  expect(described({ ...raw, platform: 'python' }).culprit).toBe('/app/node_modules/x.js in send')
  expect(described({ request: { url: 'https://x.test/a' } }).culprit).toBe('https://x.test/a')
})

function mechanism(handled?: boolean) {
  return { type: 'A', mechanism: { type: 'generic', handled } }
}

test('one unhandled exception makes the event unhandled', () => {
  expect(isHandled(read({ exception: [mechanism(true), mechanism(false)] }))).toBe(false)
  expect(isHandled(read({ exception: [mechanism(true), mechanism()] }))).toBe(true)
  expect(isHandled(read({ exception: [mechanism()] }))).toBeNull()
})

test('other members of an event are counted as tags too, and a tag that was sent wins', () => {
  const tags = tagsOf(
    read({
      level: 'warning',
      release: 'a@1',
      server_name: 'web-1',
      user: { id: 7 },
      contexts: {
        os: { name: 'Windows', version: '11' },
        runtime: { name: 'node', version: 'v24.1.0' },
        device: { family: 'iPhone', model: 'iPhone 15' },
      },
      tags: { level: 'mine' },
    }),
  )
  expect(tags).toMatchObject({
    level: 'mine',
    release: 'a@1',
    server_name: 'web-1',
    user: 'id:7',
    os: 'Windows 11',
    'os.name': 'Windows',
    'runtime.name': 'node',
    device: 'iPhone 15',
    'device.family': 'iPhone',
  })
})
