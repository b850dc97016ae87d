import { inflateSync } from 'node:zlib'
import { isRefusal } from '@afterimage/protocol/outcome'
import { splitRecording, type ReplayEventPayload } from '@afterimage/protocol/replay'
import type { ReceivedEnvelope } from './sdk-server.ts'

export interface ReplayedEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: Record<string, unknown> & {
    readonly tag?: string
    readonly payload?: Record<string, unknown> & { readonly category?: string }
  }
}

export interface ReceivedSegment {
  readonly description: ReplayEventPayload
  readonly isCompressed: boolean
  readonly events: readonly ReplayedEvent[]
  /** Bytes of the envelope. */
  readonly bytes: number
}

/** The segments of all replays that came, in the order of their numbers. */
export function decodeSegments(envelopes: readonly ReceivedEnvelope[]): ReceivedSegment[] {
  const segments: ReceivedSegment[] = []
  for (const { items, bytes } of envelopes) {
    const recording = items.find((it) => it.header.type === 'replay_recording')
    const description = items.find((it) => it.header.type === 'replay_event')?.json
    if (recording === undefined || !description) continue
    const parts = splitRecording(recording.payload)
    if (isRefusal(parts)) throw new Error(parts.detail)
    const text = parts.isCompressed ? inflateSync(parts.body) : Buffer.from(parts.body)
    segments.push({
      description: description as unknown as ReplayEventPayload,
      isCompressed: parts.isCompressed,
      events: JSON.parse(text.toString('utf8')) as ReplayedEvent[],
      bytes: bytes.length,
    })
  }
  return segments.sort((one, other) => one.description.segment_id - other.description.segment_id)
}

/** All events, as a player joins them. */
export function joinSegments(segments: readonly ReceivedSegment[]): ReplayedEvent[] {
  return segments.flatMap((it) => it.events).sort((one, other) => one.timestamp - other.timestamp)
}
