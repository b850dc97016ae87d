import type { EventProblem, NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal } from '@afterimage/protocol/outcome'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import type { ItemContext } from '../../items/item.ts'
import { processError } from '../../items/error/index.ts'
import { normalizeEvent } from './index.ts'
import { linkedReplayId } from './links.ts'
import { readLevel, readRelease } from './names.ts'
import { normalizeTags } from './tags.ts'
import { readTime } from './time.ts'
import { browserFromUserAgent } from './user-agent.ts'
import { normalizeUser, userKey, userLabel } from './user.ts'

const receivedAt = Date.parse('2026-11-20T08:00:00Z')

function normalized(raw: unknown, more: Partial<ItemContext> = {}): NormalizedEvent {
  const event = normalizeEvent(
    raw,
    itemContext(envelopeOf('event', raw), 0, { receivedAt, ...more }),
  )
  if (isRefusal(event)) throw new Error(event.detail)
  return event
}

describe('tags', () => {
  test('come as an object or as a list of pairs', () => {
    expect(normalizeTags({ a: 1, b: true, c: null, 'd e': 'x' })).toEqual({
      a: '1',
      b: 'True',
      'd-e': 'x',
    })
    expect(
      normalizeTags([['a', 'x'], ['a', 'y'], null, [], ['b', false], { key: 'c', value: 2 }]),
    ).toEqual({
      a: 'x',
      b: 'False',
      c: '2',
    })
    expect(normalizeTags('no')).toEqual({})
  })

  test('with keys or values that cannot be kept are named', () => {
    const problems: EventProblem[] = []
    const tags = { 'a/b': 'x', c: 'x\ny', d: 'x'.repeat(201), release: '1', ok: 'ü', größe: 'm' }
    expect(normalizeTags(tags, problems)).toEqual({ ok: 'ü', größe: 'm' })
    expect(problems.map(({ name }) => name)).toEqual(['tags.a/b', 'tags.c', 'tags.d'])
  })

  test('are at most 100, and never touch a prototype', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v']))
    expect(Object.keys(normalizeTags(many))).toHaveLength(100)
    const hostile = normalizeTags(JSON.parse('{"__proto__":"x","constructor":"y"}'))
    expect(Object.keys(hostile)).toEqual(['constructor'])
  })
})

describe('names', () => {
  test.each([
    ['warn', 'warning'],
    ['CRITICAL', 'fatal'],
    [40, 'error'],
    ['20', 'info'],
    ['log', 'info'],
    ['constructor', null],
    [{}, null],
  ])('level %s', (sent, level) => expect(readLevel(sent)).toBe(level))

  test.each(['', '.', '..', 'latest', 'a/b', 'a\nb', 'x'.repeat(201), {}])(
    '%j is not a valid release',
    (name) => {
      expect(readRelease(name, [])).toBeNull()
    },
  )

  test('environment may come as a tag, and a dist needs a release', () => {
    const event = normalized({ tags: { environment: 'prod' }, dist: '7' })
    expect(event.environment).toBe('prod')
    expect(event.tags).toEqual({})
    expect(event.dist).toBeUndefined()
    expect(normalized({ release: ' a@1 ', dist: '7' })).toMatchObject({ release: 'a@1', dist: '7' })
  })
})

describe('time', () => {
  test.each([
    [1795161347.318, 1795161347318],
    ['1795161347.5', 1795161347500],
    ['2026-11-20T07:55:47.326Z', Date.parse('2026-11-20T07:55:47.326Z')],
    ['2026-11-20T07:55:47', Date.parse('2026-11-20T07:55:47Z')],
    ['2026-11-20T07:55:47+02:00', Date.parse('2026-11-20T05:55:47Z')],
    [-1, null],
    [1e12, null],
    ['yesterday', null],
    [{}, null],
  ])('%j', (sent, ms) => expect(readTime(sent)).toBe(ms))

  test('drift moves the event and its breadcrumbs', () => {
    const sent = receivedAt / 1000 - 7200
    const event = normalized(
      { timestamp: sent, breadcrumbs: [{ timestamp: sent - 1 }] },
      { clockDriftMs: 7_200_000 },
    )
    expect(event.timestamp).toBe(receivedAt)
    expect(event.client_timestamp).toBe(receivedAt - 7_200_000)
    expect(event.breadcrumbs?.[0]?.timestamp).toBe(receivedAt - 1000)
  })

  test.each([
    [61, 'future_timestamp'],
    [-31 * 86_400, 'past_timestamp'],
  ])('%s s away from its receipt it is moved there', (seconds, problem) => {
    const event = normalized({ timestamp: receivedAt / 1000 + seconds })
    expect(event.timestamp).toBe(receivedAt)
    expect(event.errors?.[0]?.type).toBe(problem)
  })

  test('a missing or unreadable one is the time of receipt', () => {
    expect(normalized({}).timestamp).toBe(receivedAt)
    expect(normalized({ timestamp: 'x' })).toMatchObject({
      timestamp: receivedAt,
      errors: [{ type: 'invalid_data', name: 'timestamp', value: 'x' }],
    })
  })
})

describe('user', () => {
  const keeping = itemContext(envelopeOf('event', {}), 0)
  const storing = { ...keeping, scrubbing: { ...keeping.scrubbing, storeIpAddresses: true } }
  const sender = keeping.remoteAddress

  test('has no address unless the project stores them', () => {
    expect(normalizeUser({ id: 7, ip_address: '203.0.113.9' }, keeping)).toEqual({ id: '7' })
    expect(
      normalizeUser({ ip_address: '{{auto}}' }, keeping, { platform: 'javascript' }),
    ).toBeNull()
  })

  test.each([
    [{ ip_address: '203.0.113.9' }, { platform: 'python' }, '203.0.113.9'],
    [{ ip_address: '{{auto}}' }, { platform: 'python' }, sender],
    [{ ip_address: '{{auto}}' }, { platform: 'javascript', inferIp: 'never' }, undefined],
    [{}, { platform: 'python' }, undefined],
    [{}, { platform: 'javascript' }, sender],
    [{}, { platform: 'javascript', inferIp: 'never' }, undefined],
    [{}, { platform: 'python', inferIp: 'auto' }, sender],
    [{}, { platform: 'python', remoteAddr: '203.0.113.1' }, '203.0.113.1'],
    [{ ip_address: 'nonsense' }, { platform: 'python' }, undefined],
  ])('%j of %j has the address %s', (sent, source, address) => {
    expect(normalizeUser(sent, storing, source)?.ip_address).toBe(address)
  })

  test('is counted by id, then username, email, address; shown by email first', () => {
    expect(userKey({ id: '7', email: 'a@x.test' })).toBe('id:7')
    expect(userKey({ email: 'a@x.test', username: 'ada' })).toBe('username:ada')
    expect(userKey({ email: '[Filtered]', ip_address: '::1' })).toBe('ip:::1')
    expect(userKey(null)).toBeNull()
    expect(userLabel({ id: '7', email: 'a@x.test' })).toBe('a@x.test')
  })

  test('keeps unknown members as data', () => {
    expect(normalizeUser({ id: '7', plan: 'pro' }, keeping)).toEqual({
      id: '7',
      data: { plan: 'pro' },
    })
  })
})

describe('request', () => {
  test('is taken apart', () => {
    const { request } = normalized({
      'sentry.interfaces.Http': {
        url: 'https://x.test/a?b=c%20d&e#top',
        method: 'post',
        headers: { 'user-agent': 'x', COOKIE: 'a=1; b=2', accept: ['x', 'y'] },
      },
    })
    expect(request).toEqual({
      url: 'https://x.test/a',
      method: 'POST',
      query_string: [
        ['b', 'c d'],
        ['e', ''],
      ],
      fragment: 'top',
      headers: [
        ['User-Agent', 'x'],
        ['Accept', 'x, y'],
      ],
      cookies: [
        ['a', '1'],
        ['b', '2'],
      ],
    })
  })
})

function frameAt(filename: string) {
  return { filename, function: 'f', in_app: true }
}

describe('stack trace', () => {
  test('of more than 250 frames keeps both ends, and source near the throw', () => {
    const frames = Array.from({ length: 300 }, (_, index) => ({
      function: `f${index}`,
      context_line: 'x',
      vars: { a: 1 },
    }))
    const stacktrace = normalized({ stacktrace: { frames } }).stacktrace!
    expect(stacktrace.frames).toHaveLength(250)
    expect(stacktrace.frames[0]?.function).toBe('f0')
    expect(stacktrace.frames.at(-1)?.function).toBe('f299')
    expect(stacktrace.frames_omitted).toEqual([125, 175])
    expect(stacktrace.frames.filter(({ vars }) => vars)).toHaveLength(50)
  })

  test('marks libraries, whatever the SDK says', () => {
    const paths = [
      '/app/node_modules/x/i.js',
      'https://unpkg.com/x.js',
      'node:internal/x',
      '/app/pay.js',
    ]
    const event = normalized({ platform: 'node', stacktrace: { frames: paths.map(frameAt) } })
    expect(event.stacktrace?.frames.map((frame) => frame.in_app)).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  test('beside a single exception becomes its own', () => {
    const event = normalized({
      exception: { type: 'E' },
      stacktrace: { frames: [{ function: 'f' }] },
    })
    expect(event.exception?.[0]?.stacktrace?.frames).toHaveLength(1)
    expect(event.stacktrace).toBeUndefined()
  })
})

describe('interfaces', () => {
  test('come wrapped, as a list, or alone', () => {
    for (const exception of [{ values: [{ type: 'E' }] }, [{ type: 'E' }], { type: 'E' }]) {
      expect(normalized({ exception }).exception).toEqual([{ type: 'E' }])
    }
    expect(normalized({ exception: { values: [null, {}] } }).exception).toBeUndefined()
  })

  test('a value that begins with a type is taken apart, unless it is a captured message', () => {
    expect(normalized({ exception: [{ value: 'E: x' }] }).exception).toEqual([
      { type: 'E', value: 'x' },
    ])
    const mechanism = { type: 'generic', synthetic: true }
    expect(
      normalized({ exception: [{ value: 'cart: x', mechanism }] }).exception?.[0]?.type,
    ).toBeUndefined()
  })

  test.each([
    [{ message: 'a %s b %d', params: ['x', 7] }, 'a x b 7'],
    [{ message: '%(who)s left', params: { who: 'ada' } }, 'ada left'],
    [{ message: '{} and {1} and {who}', params: ['x', 'y'] }, 'x and y and {who}'],
    [{ message: 'a %s', formatted: 'a b' }, 'a b'],
    ['plain', 'plain'],
  ])('message %j reads %s', (logentry, text) => {
    expect(normalized({ logentry, message: 'not this' }).logentry?.formatted).toBe(text)
  })

  test('breadcrumbs are the newest 100', () => {
    const breadcrumbs = Array.from({ length: 150 }, (_, index) => ({ message: `m${index}` }))
    const kept = normalized({ breadcrumbs }).breadcrumbs!
    expect(kept).toHaveLength(100)
    expect(kept.at(-1)?.message).toBe('m149')
  })

  test('bags are bounded in size and depth', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100; level += 1) deep = { deep }
    const event = normalized({
      contexts: { a: { text: 'x'.repeat(100_000), deep } },
      extra: { deep },
    })
    expect(JSON.stringify(event).length).toBeLessThan(12_000)
    expect(JSON.stringify(event.extra)).toContain('[Object]')
  })
})

test('the event id of the envelope wins, a missing one is derived, the same each time', () => {
  const id = 'a'.repeat(31) + '1'
  const header = { event_id: id }
  expect(normalized({ event_id: 'b'.repeat(32) }, { header }).event_id).toBe(id)
  expect(normalized({}).event_id).toMatch(/^[0-9a-f]{32}$/)
  expect(normalized({}).event_id).toBe(normalized({}).event_id)
})

test('a replay is linked by context, by tag, or by the header of the envelope', () => {
  const id = '92d803f253e44c5a8fd1049d16476d08'
  expect(linkedReplayId({ contexts: { replay: { replay_id: id } }, tags: {} }, {})).toBe(id)
  expect(linkedReplayId({ contexts: {}, tags: { replayId: id } }, {})).toBe(id)
  expect(linkedReplayId({ contexts: {}, tags: {} }, { trace: { replay_id: id } })).toBe(id)
  expect(linkedReplayId({ contexts: {}, tags: { replayId: 'x' } }, {})).toBeNull()
})

test('a text too long for a User-Agent is not read', () => {
  const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36'
  expect(browserFromUserAgent(chrome).browser).toEqual({ name: 'Chrome', version: '126.0.0.0' })
  expect(browserFromUserAgent(chrome + ' x'.repeat(1000)).browser).toBeNull()
  expect(browserFromUserAgent('\0').browser).toBeNull()
})

const members =
  'event_id type timestamp platform level tags user request exception stacktrace breadcrumbs contexts extra logentry message threads release environment dist fingerprint sdk errors debug_meta modules template csp checksum'.split(
    ' ',
  )

test('any JSON becomes a row or a refusal, and what is kept is bounded', () => {
  const shapes = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...members), fc.jsonValue({ maxDepth: 4 })),
    fc.record({
      exception: fc.record({
        values: fc.array(
          fc.record({
            type: fc.jsonValue(),
            value: fc.jsonValue(),
            mechanism: fc.jsonValue(),
            stacktrace: fc.record({ frames: fc.array(fc.jsonValue()) }),
          }),
        ),
      }),
    }),
  )
  fc.assert(
    fc.property(shapes, (value) => {
      const envelope = envelopeOf('event', Buffer.from(JSON.stringify(value)))
      const { rows, refusal } = processError(envelope.items[0]!, itemContext(envelope, 0))
      expect(rows.length + (refusal === null ? 0 : 1)).toBe(1)
    }),
    { numRuns: 500 },
  )
})

test('any bytes become a row or a refusal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const envelope = envelopeOf('event', bytes)
      const { rows, refusal } = processError(envelope.items[0]!, itemContext(envelope, 0))
      expect(rows.length + (refusal === null ? 0 : 1)).toBe(1)
    }),
  )
})

test('NaN and Infinity, as old Python wrote them, are read as null', () => {
  const payload = Buffer.from('{"message":"NaN","extra":{"a":NaN,"b":-Infinity}}')
  const envelope = envelopeOf('event', payload)
  const [row] = processError(envelope.items[0]!, itemContext(envelope, 0)).rows
  expect(JSON.parse(row?.payload ?? '')).toMatchObject({
    logentry: { formatted: 'NaN' },
    extra: { a: null, b: null },
  })
})
