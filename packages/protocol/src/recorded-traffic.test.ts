import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { sharedFolder } from '../../../tools/shared-folder.ts'
import { isContainer, readContainer } from './container.ts'
import { parseDsn } from './dsn.ts'
import { checkEventCount, surplusItems } from './envelope-limits.ts'
import { encodeEnvelope } from './encode-envelope.ts'
import { decodeEnvelope } from './envelope.ts'
import type { Envelope } from './envelope.ts'
import { isItemType, itemTypeFacts } from './item-type.ts'
import { isRefusal } from './outcome.ts'
import { splitRecording } from './replay.ts'

/** Recorded traffic of the official SDKs, compared with each recording's own description. */

interface Recorded {
  readonly name: string
  readonly body: { readonly file: string; readonly content_encoding?: string }
  readonly expect: {
    readonly envelope_header_keys: readonly string[]
    readonly event_id?: string
    readonly dsn?: string
    readonly has_trace_header: boolean
    readonly item_types: Readonly<Record<string, number>>
    readonly items: readonly {
      readonly type: string
      readonly header: object
      readonly length: number
      readonly item_count?: number
      readonly segment_id?: number
      readonly compressed?: boolean
    }[]
  }
}

interface Sample {
  readonly recorded: Recorded
  readonly envelope: Envelope
}

const folder = sharedFolder('corpus')

function samples(context: TestContext): Sample[] {
  if (folder === null) return context.skip('not run: the folder of recordings is absent')
  return readdirSync(folder)
    .filter((name) => /^\d+-.*\.json$/.test(name))
    .map((name) => {
      const recorded = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded
      const body = readFileSync(join(folder, recorded.body.file))
      const isPacked = recorded.body.content_encoding === 'gzip'
      const envelope = decodeEnvelope(isPacked ? gunzipSync(body) : body)
      if (isRefusal(envelope)) throw new Error(`${recorded.name}: ${envelope.detail}`)
      return { recorded, envelope }
    })
}

test('every recorded body has the items that were sent, in order, with their sizes', (context) => {
  for (const { recorded, envelope } of samples(context)) {
    const found = envelope.items.map(({ header, payload }) => [header, payload.length])
    const sent = recorded.expect.items.map(({ header, length }) => [header, length])
    expect(found, recorded.name).toEqual(sent)
    const counts: Record<string, number> = {}
    for (const { header } of envelope.items) counts[header.type] = (counts[header.type] ?? 0) + 1
    expect(counts, recorded.name).toEqual(recorded.expect.item_types)
  }
})

test('every recorded header has the members that were sent', (context) => {
  for (const { recorded, envelope } of samples(context)) {
    const { header } = envelope
    const wanted = recorded.expect
    expect(Object.keys(header).toSorted(), recorded.name).toEqual(
      wanted.envelope_header_keys.toSorted(),
    )
    expect(header.event_id, recorded.name).toBe(wanted.event_id)
    expect(header.dsn, recorded.name).toBe(wanted.dsn)
    if (header.dsn !== undefined) expect(parseDsn(header.dsn)).not.toBeNull()
    expect(header.trace !== undefined, recorded.name).toBe(wanted.has_trace_header)
  }
})

test('no recorded envelope breaks a limit, and every type is known', (context) => {
  for (const { recorded, envelope } of samples(context)) {
    expect(checkEventCount(envelope), recorded.name).toBeNull()
    expect(surplusItems(envelope).size, recorded.name).toBe(0)
    for (const { header, payload } of envelope.items) {
      expect(payload.length, recorded.name).toBeLessThanOrEqual(itemTypeFacts(header.type).bytesMax)
    }
    expect(envelope.items.filter(({ header }) => !isItemType(header.type))).toEqual([])
  }
})

test('every recorded container opens, and bare spans are told apart', (context) => {
  for (const { recorded, envelope } of samples(context)) {
    for (const [index, item] of envelope.items.entries()) {
      const count = recorded.expect.items[index]?.item_count
      expect(isContainer(item), recorded.name).toBe(count !== undefined)
      if (count === undefined) continue
      const payload: unknown = JSON.parse(new TextDecoder().decode(item.payload))
      const container = readContainer(payload, item.header)
      if (isRefusal(container)) throw new Error(`${recorded.name}: ${container.detail}`)
      expect(container.items, recorded.name).toHaveLength(count)
    }
  }
})

test('every recording of a replay comes apart', (context) => {
  let recordings = 0
  for (const { recorded, envelope } of samples(context)) {
    for (const [index, { header, payload }] of envelope.items.entries()) {
      if (header.type !== 'replay_recording') continue
      recordings += 1
      const wanted = recorded.expect.items[index]
      expect(splitRecording(payload), recorded.name).toMatchObject({
        segmentId: wanted?.segment_id,
        isCompressed: wanted?.compressed,
      })
    }
  }
  expect(recordings).toBeGreaterThan(0)
})

test('every recorded envelope is the same after writing and reading it', (context) => {
  for (const { recorded, envelope } of samples(context)) {
    const again = decodeEnvelope(encodeEnvelope(envelope.header, envelope.items))
    if (isRefusal(again)) throw new Error(`${recorded.name}: ${again.detail}`)
    expect(again.header, recorded.name).toEqual(envelope.header)
    expect(again.items.length).toBe(envelope.items.length)
    for (const [index, { payload }] of again.items.entries()) {
      expect(Buffer.compare(payload, envelope.items[index]!.payload), recorded.name).toBe(0)
    }
  }
})
