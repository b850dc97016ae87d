import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baggageCharactersMax } from './limits.ts'
import {
  decodeSamplingContext,
  formatBaggage,
  formatSentryTrace,
  formatTraceparent,
  parseBaggage,
  parseSentryTrace,
  parseTraceparent,
} from './trace-header.ts'

const traceId = '64d0bc016698442896d708a334a78a5f'
const spanId = '84e3a624be7a2511'

describe('sentry-trace', () => {
  test.each([
    [`${traceId}-${spanId}-1`, true],
    [`${traceId}-${spanId}-0`, false],
    [`${traceId}-${spanId}`, null],
    [` ${traceId.toUpperCase()}-${spanId}-1 `, true],
  ])('%s is read', (header, sampled) => {
    expect(parseSentryTrace(header)).toEqual({ traceId, spanId, sampled })
  })

  test.each([
    '',
    'x',
    traceId,
    `${traceId}-${spanId}-2`,
    `${'0'.repeat(32)}-${spanId}`,
    `${traceId}-${'0'.repeat(16)}`,
  ])('%j is not', (header) => {
    expect(parseSentryTrace(header)).toBeNull()
  })

  test('is written as it is read', () => {
    for (const sampled of [true, false, null]) {
      const parent = { traceId, spanId, sampled }
      expect(parseSentryTrace(formatSentryTrace(parent))).toEqual(parent)
    }
  })
})

describe('traceparent', () => {
  test('is read and written', () => {
    expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({
      traceId,
      spanId,
      sampled: true,
    })
    expect(parseTraceparent(`00-${traceId}-${spanId}-02`)?.sampled).toBe(false)
    expect(formatTraceparent({ traceId, spanId, sampled: true })).toBe(`00-${traceId}-${spanId}-01`)
    expect(formatTraceparent({ traceId, spanId, sampled: null })).toBe(`00-${traceId}-${spanId}-00`)
  })

  test('of a later version may have more fields, of this one not', () => {
    expect(parseTraceparent(`01-${traceId}-${spanId}-01-more`)?.traceId).toBe(traceId)
    expect(parseTraceparent(`00-${traceId}-${spanId}-01-more`)).toBeNull()
  })

  test.each([
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}`,
  ])('%j is refused', (header) => {
    expect(parseTraceparent(header)).toBeNull()
  })
})

describe('baggage', () => {
  test('gives the sampling context among other members', () => {
    const header = `other=1, sentry-trace_id=${traceId} ,sentry-release=shop%402.4.0;prop=1,sentry-transaction=%2Fcart`
    expect(parseBaggage(header)).toEqual({
      trace_id: traceId,
      release: 'shop@2.4.0',
      transaction: '/cart',
    })
  })

  test('without a context gives null, and broken members are skipped', () => {
    expect(parseBaggage('')).toBeNull()
    expect(parseBaggage('other=1,=,;,sentry-')).toBeNull()
    expect(parseBaggage('sentry-release=%E0%A4%A,sentry-environment=a')).toEqual({
      environment: 'a',
    })
    expect(parseBaggage('sentry-trace_id=nonsense,sentry-environment=a')).toEqual({
      environment: 'a',
    })
  })

  test('is written with the members of others after ours', () => {
    expect(
      formatBaggage({ trace_id: traceId, release: 'ä=,1' }, 'a=1;p, sentry-release=old,b=2'),
    ).toBe(`sentry-trace_id=${traceId},sentry-release=%C3%A4%3D%2C1,a=1;p,b=2`)
    expect(formatBaggage({})).toBe('')
    expect(formatBaggage({ release: '\ud800', environment: 'a' })).toBe('sentry-environment=a')
  })

  test('has 8192 characters at most: what does not fit is left out, smaller members still go', () => {
    const room = baggageCharactersMax - 'sentry-release='.length
    expect(formatBaggage({ release: 'x'.repeat(room) })).toHaveLength(baggageCharactersMax)
    expect(formatBaggage({ release: 'x'.repeat(room + 1) })).toBe('')
    expect(formatBaggage({ trace_id: traceId, release: 'x'.repeat(8150), environment: 'a' })).toBe(
      `sentry-trace_id=${traceId},sentry-environment=a`,
    )
  })

  test('never exceeds its limit and is read back', () => {
    const context = fc.dictionary(
      fc
        .stringMatching(/^[a-z_]{1,12}$/)
        .filter((key) => key !== 'trace_id' && key !== 'replay_id'),
      fc.string({ unit: 'grapheme', maxLength: 3000 }),
      { maxKeys: 6 },
    )
    fc.assert(
      fc.property(context, fc.string(), (values, existing) => {
        const header = formatBaggage(values, existing)
        expect(header.length).toBeLessThanOrEqual(baggageCharactersMax)
        for (const [key, value] of Object.entries(parseBaggage(header) ?? {})) {
          expect(value).toBe(values[key])
        }
      }),
    )
  })
})

test('the context of an envelope header keeps what is text, and only valid ids', () => {
  expect(
    decodeSamplingContext({
      trace_id: traceId.toUpperCase(),
      replay_id: 'none',
      sample_rate: 1,
      sampled: true,
      release: 'a',
      nested: {},
    }),
  ).toEqual({ trace_id: traceId, sample_rate: '1', sampled: 'true', release: 'a' })
  for (const value of [null, undefined, 'x', {}, { nested: [] }]) {
    expect(decodeSamplingContext(value)).toBeNull()
  }
})
