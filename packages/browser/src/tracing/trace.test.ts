import { assert, constantFrom, dictionary, property, string } from 'fast-check'
import { expect, test, vi } from 'vitest'
import { baggageOf, continuedTrace, createTrace, decide, readBaggage, samplingOf } from './trace.ts'
import type { TracingOptions } from './tracing-options.ts'

const traceId = 'ab'.repeat(16)
const parent = `${traceId}-${'c'.repeat(16)}`

function failing(): number {
  throw new Error('page')
}

function decided(rand: number, options: TracingOptions, sampled?: boolean): boolean | undefined {
  const trace = { ...createTrace(), rand, sampled }
  decide(trace, '/', {}, options)
  return trace.sampled
}

test('S11 the rate is 1 by default: every trace is kept', () => {
  expect(decided(0, {})).toBe(true)
  expect(decided(0.999_999, {})).toBe(true)
  const trace = createTrace()
  decide(trace, '/', {}, {})
  expect(samplingOf(trace, {})).toMatchObject({ sampled: 'true', sample_rate: '1' })
})

test.each([
  [0.249_999, 0.25, true],
  [0.25, 0.25, false],
  [0, 0, false],
  [0.5, Number.NaN, false],
  [0, 1.01, false],
  [0, -0.1, false],
])('S11 a roll of %d at a rate of %d is kept: %s', (rand, rate, isKept) => {
  expect(decided(rand, { tracesSampleRate: rate })).toBe(isKept)
})

test('S11 a decision made elsewhere outweighs the rate, and the sampler outweighs both', () => {
  expect(decided(0.5, { tracesSampleRate: 0 }, true)).toBe(true)
  expect(decided(0.5, { tracesSampleRate: 1 }, false)).toBe(false)
  expect(decided(0.5, { tracesSampler: () => 0.6 }, false)).toBe(true)
  expect(decided(0.5, { tracesSampler: () => true }, false)).toBe(true)
  expect(decided(0.5, { tracesSampler: ({ parentSampled }) => parentSampled ?? 0 }, true)).toBe(
    true,
  )
  expect(decided(0.5, { tracesSampler: failing }, true)).toBe(false)
  expect(decided(0.5, { tracesSampler: () => 'yes' as never })).toBe(false)
})

test('S13 a baggage of 8192 characters goes as it is, one of 8193 loses the member that passes it', () => {
  const fixed = 'sentry-trace_id='.length + traceId.length + ',sentry-release='.length
  const context = { trace_id: traceId, release: 'r'.repeat(8192 - fixed) }
  expect(baggageOf(context)).toHaveLength(8192)
  const longer = { ...context, release: `${context.release}r` }
  expect(baggageOf(longer)).toBe(`sentry-trace_id=${traceId}`)
})

test('S13 smaller members after one that did not fit are still tried, and escapes count as sent', () => {
  const context = { environment: 'é'.repeat(2000), trace_id: traceId, sampled: 'true' }
  expect(baggageOf(context)).toBe(`sentry-trace_id=${traceId},sentry-sampled=true`)
})

test('S13 no sampling context makes a baggage above 8192, and what was sent is read back', () => {
  const key = string({ minLength: 1, maxLength: 40 }).filter((it) => it !== '__proto__')
  const value = string({ unit: 'binary', maxLength: 6000 })
  assert(
    property(dictionary(key, value), constantFrom(8192, 4000, 0), (context, room) => {
      const header = baggageOf(context, room)
      expect(header.length).toBeLessThanOrEqual(room)
      const members = Object.entries(readBaggage(header))
      for (const [name, text] of members) expect(context[name]).toBe(text)
      expect(members.length > 0).toBe(header !== '')
    }),
  )
})

test('reads only its own members of a baggage', () => {
  expect(readBaggage('a=b, sentry-release=shop%401;p=1 ,sentry-sampled=true,sentry-x=%zz')).toEqual(
    {
      release: 'shop@1',
      sampled: 'true',
    },
  )
  expect(readBaggage(`sentry-release=${'x'.repeat(65_536)}`)).toEqual({})
})

test('continues a trace with its decision, its number and its context unchanged', () => {
  const baggage =
    'sentry-trace_id=ab,sentry-sample_rand=0.25,sentry-sampled=true,sentry-environment=api'
  const trace = continuedTrace(`${parent}-1`, baggage)!
  expect(trace).toMatchObject({
    traceId,
    parentSpanId: 'c'.repeat(16),
    sampled: true,
    rand: 0.25,
  })
  expect(samplingOf(trace, { environment: 'ours' })).toEqual(readBaggage(baggage))
})

test.each([0.1, 0.9])('a trace that its parent does not sample is not sampled: %d', (rand) => {
  const trace = continuedTrace(`${parent}-0`, `sentry-sample_rand=${rand}`)!
  expect(trace.sampled).toBe(false)
  decide(trace, '/', {}, {})
  expect(trace.sampled).toBe(false)
})

test('a trace without baggage has an empty context, which stays empty', () => {
  const trace = continuedTrace(parent, null)!
  expect(trace.sampled).toBeUndefined()
  decide(trace, '/', {}, {})
  expect(samplingOf(trace, { environment: 'ours' })).toEqual({})
})

test.each([
  '',
  'null',
  `${traceId}-1`,
  `${'0'.repeat(32)}-${'c'.repeat(16)}-1`,
  `${parent}-2`,
  `${parent}-1-x`,
])('%j is not a trace', (header) => {
  expect(continuedTrace(header, null)).toBeNull()
})

test('a number out of its range is rolled anew', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.123_456_789)
  for (const rand of ['1', '-0.1', 'x', '']) {
    expect(continuedTrace(parent, `sentry-sample_rand=${rand}`)?.rand).toBe(
      rand === '' ? 0 : 0.123_456,
    )
  }
  vi.restoreAllMocks()
})

test.each<
  [rand: number, options: TracingOptions, parentSampled: boolean | undefined, isKept: boolean]
>([
  [0.4, {}, undefined, true],
  [0.6, {}, undefined, false],
  [0.6, {}, true, false],
  [0.4, {}, true, true],
  [0.4, {}, false, false],
  [0.6, { tracesSampler: () => true }, undefined, false],
  [0.4, { tracesSampleRate: 0.3 }, undefined, false],
])(
  'with a limit of 0.5, rand %d and %j after %s keep a trace: %s',
  (rand, options, parent, isKept) => {
    const trace = { ...createTrace(), rand, sampled: parent }
    decide(trace, '/', {}, options, 0.5)
    expect(trace.sampled).toBe(isKept)
    expect((trace as { rate?: number }).rate ?? 0).toBeLessThanOrEqual(0.5)
  },
)
