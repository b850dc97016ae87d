import type { EventBag, EventProblem } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { normalizeContexts } from './contexts.ts'

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

function contextsOf(raw: unknown, userAgent: string | null = null) {
  const problems: EventProblem[] = []
  const contexts: Record<string, EventBag> = normalizeContexts(raw, userAgent, problems)
  return { contexts, problems }
}

test('contexts are objects by name; other values are left out', () => {
  const raw = { app: { a: 1 }, state: { b: { c: 1 } }, no: 'x', list: [1], nothing: null }
  expect(contextsOf(raw)).toEqual({
    contexts: { app: { a: 1 }, state: { b: { c: 1 } } },
    problems: [],
  })
  for (const other of [null, undefined, 'x', [{ a: 1 }]]) {
    expect(contextsOf(other)).toEqual({ contexts: {}, problems: [] })
  }
})

test('names are bounded, and none sets a prototype', () => {
  const name = 'n'.repeat(100)
  const { contexts } = contextsOf(JSON.parse(`{"__proto__":{"a":1},"${name}":{},"${name}x":{}}`))
  expect(Object.keys(contexts)).toEqual([name])
  expect(contexts['a']).toBeUndefined()
})

test('the first 64 are kept, and a problem says that there were more', () => {
  const raw = Object.fromEntries(Array.from({ length: 66 }, (_, index) => [`c${index}`, {}]))
  const { contexts, problems } = contextsOf(raw)
  expect(Object.keys(contexts)).toHaveLength(64)
  expect(problems).toEqual([{ type: 'too_many', name: 'contexts', value: 'c64' }])
  delete raw['c65']
  delete raw['c64']
  expect(contextsOf(raw).problems).toEqual([])
})

test('ids of a trace are hex of their length; others are left out and named', () => {
  const trace = {
    trace_id: 'AB'.repeat(16),
    span_id: 'cd'.repeat(8),
    parent_span_id: null,
    op: 'http',
  }
  expect(contextsOf({ trace })).toEqual({
    contexts: { trace: { ...trace, trace_id: 'ab'.repeat(16) } },
    problems: [],
  })
  const { contexts, problems } = contextsOf({
    trace: { trace_id: 'x', span_id: 'cd'.repeat(16), parent_span_id: 7, op: 'http' },
  })
  expect(contexts).toEqual({ trace: { op: 'http' } })
  expect(problems.map(({ type, name }) => `${type} ${name}`)).toEqual([
    'invalid_data contexts.trace.trace_id',
    'invalid_data contexts.trace.span_id',
    'invalid_data contexts.trace.parent_span_id',
  ])
  expect(contextsOf({ other: { trace_id: 'x' } }).problems).toEqual([])
})

test('browser, system and device come from the User-Agent', () => {
  expect(contextsOf(null, iPhone).contexts).toEqual({
    browser: { name: 'Safari', version: '17.5' },
    os: { name: 'iOS', version: '17.5' },
    device: { family: 'iPhone', model: 'iPhone' },
  })
  expect(contextsOf(null, 'curl/8').contexts).toEqual({})
})

test('contexts that the SDK sent count before the User-Agent', () => {
  const own = { browser: { name: 'Own' }, os: { name: 'OwnOS' }, device: { family: 'Own' } }
  expect(contextsOf(own, iPhone).contexts).toEqual(own)
  const nameless = { browser: { a: 1 }, os: { b: 2, name: 7 }, device: {} }
  expect(contextsOf(nameless, iPhone).contexts).toEqual({
    browser: { a: 1, name: 'Safari', version: '17.5' },
    os: { b: 2, name: 'iOS', version: '17.5' },
    device: {},
  })
})
