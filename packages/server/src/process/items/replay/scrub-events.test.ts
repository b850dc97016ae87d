import { deflateSync, inflateSync } from 'node:zlib'
import type { Envelope } from '@afterimage/protocol/envelope'
import { expect, test } from 'vitest'
import { itemContext } from '../../../testing/recorded-items.ts'
import { harmlessTexts, secretTexts } from '../../steps/scrub/secrets.fixture.ts'
import { processItem } from '../../process-item.ts'

interface RecordedEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: Record<string, unknown>
}

let replays = 0
/** A replay that no other test has told anything of. */
const newReplay = (): string => (replays += 1).toString(16).padStart(32, 'c')

/** The events of a segment as they are stored. */
function stored(
  events: readonly unknown[],
  replayId = newReplay(),
  segmentId = 0,
): RecordedEvent[] {
  const head = Buffer.from(`${JSON.stringify({ segment_id: segmentId })}\n`)
  const payload = Buffer.concat([head, deflateSync(JSON.stringify(events))])
  const item = { header: { type: 'replay_recording' }, payload }
  const envelope: Envelope = { header: { event_id: replayId }, items: [item] }
  const { blobs } = processItem(item, itemContext(envelope, 0))
  return JSON.parse(inflateSync(blobs[0]!.bytes).toString()) as RecordedEvent[]
}

let ids = 0
function element(tagName: string, attributes: object, ...childNodes: unknown[]): object {
  return { type: 2, tagName, attributes, childNodes, id: (ids += 1) }
}

const textNode = (textContent: string): object => ({ type: 3, textContent, id: (ids += 1) })
const at = (type: number, data: object): object => ({ type, timestamp: 1_795_161_347_000, data })
const snapshot = (...childNodes: object[]): object =>
  at(2, { node: { type: 0, childNodes, id: 1 } })
const increment = (source: number, data: object): object => at(3, { source, ...data })
const custom = (tag: string, payload: object): object => at(5, { tag, payload })
const typed = (id: number, text: string): object => increment(5, { id, text, isChecked: false })

/** A recording with the words in every place where a page or its SDK has words. */
function pageWith(words: string): readonly unknown[] {
  const body = { body: words, headers: { 'x-note': words }, size: 1 }
  return [
    at(4, { href: `https://x.test/?note=${words}`, width: 1, height: 1 }),
    snapshot(
      element('p', { title: words, 'aria-label': words }, textNode(words)),
      element('a', { href: words }),
      { type: 2, tagName: 'input', id: 7_000, attributes: { type: 'text', value: words } },
    ),
    increment(0, {
      texts: [{ id: 9, value: words }],
      attributes: [{ id: 9, attributes: { title: words } }],
      adds: [{ parentId: 1, node: element('p', {}, textNode(words)) }],
    }),
    typed(7_000, words),
    increment(5, { id: 7_000, text: '', isChecked: false, values: ['one', words] }),
    custom('breadcrumb', { category: 'console', message: words, data: { arguments: [words] } }),
    custom('performanceSpan', {
      op: 'resource.fetch',
      description: words,
      data: { method: 'GET', request: body, response: body },
    }),
    custom('options', { note: words }),
    at(6, { plugin: 'rrweb/console@1', payload: { level: 'log', payload: [words] } }),
  ]
}

test.each(secretTexts)('%s is gone from every place of a recording', (_, words, secret) => {
  expect(JSON.stringify(stored(pageWith(words))).includes(secret)).toBe(false)
})

test.each(harmlessTexts)('is recorded as it was: %s', (words) => {
  const sent = pageWith(words).slice(1)
  expect(stored(sent)).toEqual(sent)
})

test('words that were written on a canvas are scrubbed, and its pictures stay', () => {
  const picture = {
    rr_type: 'ImageBitmap',
    args: [{ rr_type: 'Blob', data: [{ rr_type: 'ArrayBuffer', base64: '4111111111111111' }] }],
  }
  const drawn = { property: 'drawImage', args: [picture, 0, 0, 200, 100] }
  const sent = (words: string) => {
    const written = { property: 'fillText', args: [words, 1, 2] }
    return [
      increment(9, { id: 7, type: 0, ...written }),
      increment(9, { id: 7, type: 0, commands: [drawn, written] }),
    ]
  }
  const events = stored(sent('card 4111 1111 1111 1111'))
  expect(JSON.stringify(events)).not.toContain('4111 1111 1111 1111')
  expect(events[1]?.data['commands']).toContainEqual(drawn)
  expect(stored(sent('two cups'))).toEqual(sent('two cups'))
})

test('a password is masked, whatever the SDK sent', () => {
  const field = {
    type: 2,
    tagName: 'input',
    id: 20,
    attributes: { type: 'password', value: 'hunter2' },
  }
  const events = stored([
    snapshot(field),
    typed(20, 'hunter22'),
    increment(0, { attributes: [{ id: 20, attributes: { value: 'hunter23', type: 'text' } }] }),
    increment(0, { adds: [{ parentId: 1, node: { ...field, id: 21 } }] }),
    typed(21, 'hunter24'),
  ])
  expect(JSON.stringify(events)).not.toContain('hunter')
  expect(events[1]?.data['text']).toBe('********')
})

test.each([
  ['input', { type: 'text', name: 'cardNumber' }],
  ['input', { type: 'text', autocomplete: 'section-a cc-csc' }],
  ['input', { type: 'text', autocomplete: 'one-time-code' }],
  ['input', { type: 'tel', placeholder: 'Security code' }],
  ['input', { type: 'hidden', name: 'csrf_token' }],
  ['input', { type: 'text', 'data-rr-is-password': 'true' }],
  ['textarea', { 'aria-label': 'Recovery phrase' }],
])('what is typed into <%s> with %j is masked', (tagName, attributes) => {
  const childNodes = [{ type: 3, textContent: 'canary', id: 31 }]
  const field = {
    type: 2,
    tagName,
    id: 30,
    attributes: { ...attributes, value: 'canary' },
    childNodes,
  }
  expect(JSON.stringify(stored([snapshot(field), typed(30, 'canary')]))).not.toContain('canary')
})

test('words on buttons, and what is typed into other fields, stay', () => {
  const fields = [
    element('input', { type: 'submit', name: 'session[commit]', value: 'Sign in' }),
    {
      type: 2,
      tagName: 'input',
      id: 40,
      attributes: { type: 'text', name: 'q', value: 'shoes' },
      childNodes: [],
    },
  ]
  const sent = [snapshot(...fields), typed(40, 'red shoes')]
  expect(stored(sent)).toEqual(sent)
})

test('the token of a form in the head of a page is removed', () => {
  const meta = element('meta', { name: 'csrf-token', content: 'canary' })
  expect(JSON.stringify(stored([snapshot(meta)]))).not.toContain('canary')
})

const field = (id: number, type: string): object => ({
  type: 2,
  tagName: 'input',
  id,
  attributes: { type },
})

test('later segments know the fields of the first', () => {
  const replayId = newReplay()
  stored([snapshot(field(50, 'password'), field(51, 'text'))], replayId)
  const [secret, plain] = stored([typed(50, 'hunter2'), typed(51, 'shoes')], replayId, 1)
  expect(secret?.data['text']).toBe('*******')
  expect(plain?.data['text']).toBe('shoes')
})

test('text typed into a page that was never seen is masked', () => {
  expect(stored([typed(60, 'hunter2')])[0]?.data['text']).toBe('*******')
  const choices = increment(5, { id: 60, text: '', values: ['hunter2', 'x'] })
  expect(stored([choices])[0]?.data['values']).toEqual(['*******', '*'])
})
