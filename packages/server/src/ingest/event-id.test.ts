import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { eventBytesMax } from '@afterimage/protocol/limits'
import { isRefusal } from '@afterimage/protocol/outcome'
import { expect, test } from 'vitest'
import { ensureEventId } from './event-id.ts'

const id = 'ab'.repeat(16)

function ensured(
  header: object,
  payload: object,
  type = 'event',
): ReturnType<typeof ensureEventId> {
  const text = `${JSON.stringify(header)}\n{"type":"${type}"}\n${JSON.stringify(payload)}`
  const bytes = Buffer.from(text)
  const envelope = decodeEnvelope(bytes)
  if (isRefusal(envelope)) throw new Error(envelope.detail)
  return ensureEventId(envelope, bytes)
}

test('the id of the header is the id, and nothing is written anew', () => {
  const { eventId, bytes } = ensured({ event_id: id }, { event_id: 'cd'.repeat(16) })
  expect(eventId).toBe(id)
  expect(Buffer.from(bytes).toString()).toContain('cd'.repeat(16))
})

test('an id that only the payload has goes into the header', () => {
  const { eventId, bytes } = ensured({ sdk: { name: 'x' } }, { event_id: id })
  expect(eventId).toBe(id)
  const envelope = decodeEnvelope(bytes)
  expect(envelope).toMatchObject({ header: { event_id: id, sdk: { name: 'x' } } })
})

test('an envelope without an id gets one, and carries it', () => {
  const { eventId, bytes } = ensured({}, { message: 'x' })
  expect(eventId).toMatch(/^[0-9a-f]{32}$/)
  expect(decodeEnvelope(bytes)).toMatchObject({ header: { event_id: eventId } })
  expect(ensured({}, {}, 'session').eventId).toBeNull()
})

test('a payload larger than an event may be is not parsed for its id', () => {
  const { eventId } = ensured({}, { event_id: id, message: 'x'.repeat(eventBytesMax) })
  expect(eventId).toMatch(/^[0-9a-f]{32}$/)
  expect(eventId).not.toBe(id)
})
