import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordingHeaderBytesMax } from './limits.ts'
import { isRefusal } from './outcome.ts'
import { joinRecording, splitRecording } from './replay.ts'

const encoder = new TextEncoder()

test('a plain recording comes apart', () => {
  expect(splitRecording(encoder.encode('{"segment_id":0}\n[{"type":4}]'))).toEqual({
    segmentId: 0,
    isCompressed: false,
    body: encoder.encode('[{"type":4}]'),
  })
})

test.each([0, 1, 6, 9])('a recording of zlib level %i comes apart', (level) => {
  const body = deflateSync('[]', { level })
  expect(splitRecording(joinRecording(7, body))).toMatchObject({ segmentId: 7, isCompressed: true })
})

test('the body is a view, not a copy', () => {
  const payload = joinRecording(1, encoder.encode('[]'))
  const recording = splitRecording(payload)
  if (isRefusal(recording)) throw new Error(recording.detail)
  expect(recording.body.buffer).toBe(payload.buffer)
})

test.each([
  ['nothing', ''],
  ['no header line', '[]'],
  ['a header that is not JSON', 'segment 1\n[]'],
  ['a header without a segment', '{}\n[]'],
  ['a segment as text', '{"segment_id":"1"}\n[]'],
  ['a negative segment', '{"segment_id":-1}\n[]'],
  ['half a segment', '{"segment_id":1.5}\n[]'],
  ['no body', '{"segment_id":1}\n'],
  ['an object as body', '{"segment_id":1}\n{}'],
  ['a header that is too long', `${'{"segment_id":1}'.padEnd(recordingHeaderBytesMax + 1)}\n[]`],
])('%s is refused', (_name, text) => {
  expect(splitRecording(encoder.encode(text))).toMatchObject({ reason: 'invalid_payload' })
})

test('other compressions than zlib are refused', () => {
  for (const body of [gzipSync('[]'), deflateRawSync('[]'), Uint8Array.of(0x78)]) {
    expect(splitRecording(joinRecording(1, body))).toMatchObject({ reason: 'invalid_payload' })
  }
})

test('any bytes give a recording or a refusal', () => {
  fc.assert(
    fc.property(fc.nat(), fc.uint8Array(), fc.boolean(), (segmentId, bytes, hasHeader) => {
      const recording = splitRecording(hasHeader ? joinRecording(segmentId, bytes) : bytes)
      if (!isRefusal(recording)) expect(recording.segmentId).toBe(segmentId)
    }),
  )
})
