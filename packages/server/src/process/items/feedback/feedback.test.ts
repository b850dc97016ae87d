import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { processFeedback } from './index.ts'

function processed(raw: unknown): ProcessedItem {
  const envelope = envelopeOf('feedback', raw)
  return processFeedback(envelope.items[0]!, itemContext(envelope, 0))
}

test('a feedback becomes a row that names its person, page, event and replay', () => {
  const feedback = {
    message: ' The button does nothing ',
    contact_email: 'ada@example.test',
    name: 'Ada',
    url: 'https://shop.test/pay',
    source: 'widget',
    associated_event_id: '1E6F2EF8-4AFA-4775-B0FE-E985A12A2CEE',
    replay_id: '92d803f253e44c5a8fd1049d16476d08',
  }
  const trace = { trace_id: 'f6d5ff354aa84175b959d91bdf6e78f5' }
  const { rows, effects } = processed({
    contexts: { feedback, trace },
    release: 'a@1',
    environment: 'prod',
    user: { id: 7 },
  })
  expect(rows[0]).toMatchObject({
    table: 'feedback',
    columns: {
      message: ' The button does nothing ',
      email: 'ada@example.test',
      name: 'Ada',
      url: 'https://shop.test/pay',
      source: 'widget',
      associatedEventId: '1e6f2ef84afa4775b0fee985a12a2cee',
      replayId: '92d803f253e44c5a8fd1049d16476d08',
      traceId: trace.trace_id,
      userKey: 'id:7',
      release: 'a@1',
      environment: 'prod',
    },
  })
  expect(effects).toMatchObject([{ type: 'release', release: 'a@1', environment: 'prod' }])
})

test('missing members are taken from the event', () => {
  const { rows } = processed({
    contexts: { feedback: { message: 'x' } },
    user: { email: 'ada@example.test' },
    request: { url: 'https://shop.test/pay' },
  })
  expect(rows[0]?.columns).toMatchObject({
    email: 'ada@example.test',
    url: 'https://shop.test/pay',
  })
})

test('words are cut to 4096 characters, and secrets in them are removed', () => {
  const message = `my password: hunter2 ${'x'.repeat(6000)}`
  const [row] = processed({ contexts: { feedback: { message } } }).rows
  const kept = row?.table === 'feedback' ? row.columns.message : null
  expect(kept).toHaveLength(4096)
  expect(kept).not.toContain('hunter2')
})

test.each([{}, { contexts: { feedback: {} } }, { contexts: { feedback: { message: ' ' } } }, []])(
  '%j says nothing',
  (raw) => {
    expect(processed(raw)).toMatchObject({ rows: [], refusal: { reason: 'missing_field' } })
  },
)

test('any JSON becomes a row or a refusal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const raw of [
        value,
        { contexts: { feedback: value } },
        { contexts: { feedback: { message: 'x', name: value, url: value } } },
      ]) {
        const { rows, refusal } = processed(raw)
        expect(rows.length + (refusal === null ? 0 : 1)).toBe(1)
      }
    }),
  )
})
