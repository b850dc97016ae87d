import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { splitRecording } from '@afterimage/protocol/replay'

export interface RecordedSegments {
  readonly replayId: string
  readonly segments: readonly { readonly segmentId: number; readonly events: readonly unknown[] }[]
}

/** The replays among the envelopes of a folder, each with its segments. */
export function replaysIn(folder: string): readonly RecordedSegments[] {
  const replays = new Map<string, { segmentId: number; events: unknown[] }[]>()
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.envelope')) continue
    const envelope = decodeEnvelope(readFileSync(join(folder, name)))
    if (isRefusal(envelope)) continue
    const recording = envelope.items.find((it) => it.header.type === 'replay_recording')
    const parts = recording === undefined ? null : splitRecording(recording.payload)
    if (parts === null || isRefusal(parts)) continue
    const body = Buffer.from(parts.body)
    const text = (parts.isCompressed ? inflateSync(body) : body).toString('utf8')
    const id = String(envelope.header.event_id)
    const segment = { segmentId: parts.segmentId, events: JSON.parse(text) as unknown[] }
    replays.set(id, [...(replays.get(id) ?? []), segment])
  }
  return [...replays].map(([replayId, segments]) => ({ replayId, segments }))
}

/** Replays one after another as one visit: several pages, a second apart. */
export function joinedReplays(replays: readonly RecordedSegments[]): RecordedSegments {
  let start = 1_795_161_831_000
  const segments = replays.flatMap(({ segments }) => {
    const events = segments.flatMap((segment) => segment.events) as { timestamp: number }[]
    const drawn = events.filter((event) => event.timestamp > 9_999_999_999)
    const first = Math.min(...drawn.map((event) => event.timestamp))
    const last = Math.max(...drawn.map((event) => event.timestamp))
    const moved = drawn.map((event) => ({ ...event, timestamp: event.timestamp - first + start }))
    start += last - first + 1_000
    return [moved]
  })
  return {
    replayId: 'a'.repeat(32),
    segments: segments.map((events, segmentId) => ({ segmentId, events })),
  }
}
