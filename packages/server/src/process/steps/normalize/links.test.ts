import type { EnvelopeHeader } from '@afterimage/protocol/envelope'
import { expect, test } from 'vitest'
import { linkedReplayId, linkedTrace } from './links.ts'

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string]
const none = { contexts: {}, tags: {} }

test('a replay is named by its context, else by a tag, else by the envelope', () => {
  const header: EnvelopeHeader = { trace: { replay_id: c } }
  const tags = { replayId: b }
  expect(linkedReplayId({ contexts: { replay: { replay_id: a } }, tags }, header)).toBe(a)
  expect(linkedReplayId({ contexts: { replay: { replay_id: 'x' } }, tags }, header)).toBe(b)
  expect(linkedReplayId({ contexts: {}, tags: { replayId: 'x' } }, header)).toBe(c)
  for (const trace of [undefined, null, 'x', {}, { replay_id: 'x' }]) {
    expect(linkedReplayId(none, { trace } as unknown as EnvelopeHeader)).toBeNull()
  }
})

test('a trace is named by its context, else by the envelope; a span by its context alone', () => {
  const header: EnvelopeHeader = { trace: { trace_id: b, span_id: '1'.repeat(16) } }
  const trace = { trace_id: a, span_id: '2'.repeat(16) }
  expect(linkedTrace({ contexts: { trace }, tags: {} }, header)).toEqual({
    traceId: a,
    spanId: '2'.repeat(16),
  })
  expect(linkedTrace(none, header)).toEqual({ traceId: b, spanId: null })
  for (const other of [undefined, null, 'x']) {
    expect(linkedTrace(none, { trace: other } as unknown as EnvelopeHeader)).toEqual({
      traceId: null,
      spanId: null,
    })
  }
})
