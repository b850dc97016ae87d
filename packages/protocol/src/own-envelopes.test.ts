import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readContainer } from './container.ts'
import { checkEventCount } from './envelope-limits.ts'
import { decodeEnvelope } from './envelope.ts'
import { isRefusal } from './outcome.ts'
import { splitRecording } from './replay.ts'

interface Expectation {
  readonly file: string
  readonly header?: object
  readonly items?: readonly {
    readonly type: string
    readonly bytes: number
    readonly filename?: string
    readonly contains?: number
    readonly segment_id?: number
    readonly events?: number
  }[]
  readonly refusal?: string
  readonly counts?: string
}

const folder = new URL('../../../fixtures/envelopes/', import.meta.url)

function read(file: string): Buffer {
  return readFileSync(fileURLToPath(new URL(file, folder)))
}

const expectations = JSON.parse(read('expectations.json').toString('utf8')) as Expectation[]

test.each(expectations)('$file is what it says', ({ file, header, items, refusal, counts }) => {
  const envelope = decodeEnvelope(read(file))
  if (isRefusal(envelope)) {
    expect(envelope.reason).toBe(refusal)
    return
  }
  expect(refusal).toBeUndefined()
  const { sdk: _, trace: _1, ...plain } = envelope.header
  expect(plain).toEqual(header)
  expect(envelope.items.map((item) => [item.header.type, item.payload.length])).toEqual(
    items?.map(({ type, bytes }) => [type, bytes]),
  )
  expect(checkEventCount(envelope)?.reason).toBe(counts)
  for (const [index, wanted] of (items ?? []).entries()) {
    const item = envelope.items[index]!
    expect(item.header.filename).toBe(wanted.filename)
    if (wanted.contains !== undefined) {
      const payload: unknown = JSON.parse(new TextDecoder().decode(item.payload))
      expect(readContainer(payload, item.header)).toMatchObject({
        items: { length: wanted.contains },
      })
    }
    if (wanted.segment_id === undefined) continue
    const recording = splitRecording(item.payload)
    if (isRefusal(recording)) throw new Error(recording.detail)
    expect(recording.segmentId).toBe(wanted.segment_id)
    expect(JSON.parse(inflateSync(recording.body).toString('utf8'))).toHaveLength(
      wanted.events ?? 0,
    )
  }
})
