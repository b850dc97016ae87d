import type { EventPayload } from './event-payload.ts'
import { isJsonObject } from './json.ts'
import { recordingHeaderBytesMax } from './limits.ts'
import { refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'

export const replayTypes = ['session', 'buffer'] as const

/** `buffer`: recorded all along, kept from the moment of an error. Holds for all its segments. */
export type ReplayType = (typeof replayTypes)[number]

/**
 * One segment's description; the recording is the other item of its envelope. The envelope's
 * `event_id` is the replay's, so all segments of a replay share it.
 */
export interface ReplayEventPayload extends EventPayload {
  readonly type: 'replay_event'
  readonly replay_id: string
  /** From 0. */
  readonly segment_id: number
  readonly replay_type: ReplayType
  /** Seconds since the epoch, in segment 0. */
  readonly replay_start_timestamp?: number
  /** Lists of at most 100. */
  readonly urls: readonly string[]
  readonly error_ids: readonly string[]
  readonly trace_ids: readonly string[]
  readonly segment_names?: readonly string[]
}

/** A recording taken apart, its events not yet read. */
export interface Recording {
  readonly segmentId: number
  /** True: zlib of a JSON list. False: the JSON list itself. */
  readonly isCompressed: boolean
  /** A view into the payload. */
  readonly body: Uint8Array
}

const lineFeed = 0x0a
const openingBracket = 0x5b
/** Low four bits of a zlib stream's first byte: the method "deflate". RFC 1950 section 2.2. */
const deflateMethod = 8

/**
 * Takes a `replay_recording` apart: a line `{"segment_id":N}`, then a list of recorded events, plain
 * or compressed. Inflating is the caller's, with `recordingInflatedBytesMax`.
 */
export function splitRecording(payload: Uint8Array): Recording | Refusal {
  const end = payload.subarray(0, recordingHeaderBytesMax + 1).indexOf(lineFeed)
  if (end === -1) return refuse('invalid_payload', 'recording does not begin with a header line')
  const segmentId = readSegmentId(payload.subarray(0, end))
  if (segmentId === null) return refuse('invalid_payload', 'recording header has no segment_id')
  const body = payload.subarray(end + 1)
  if (body[0] === openingBracket) return { segmentId, isCompressed: false, body }
  if (isZlib(body)) return { segmentId, isCompressed: true, body }
  return refuse('invalid_payload', 'recording is neither a JSON list nor zlib')
}

/** Writes what `splitRecording` reads. */
export function joinRecording(segmentId: number, body: Uint8Array): Uint8Array {
  const line = new TextEncoder().encode(`${JSON.stringify({ segment_id: segmentId })}\n`)
  const payload = new Uint8Array(line.length + body.length)
  payload.set(line)
  payload.set(body, line.length)
  return payload
}

function readSegmentId(line: Uint8Array): number | null {
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
    const id = isJsonObject(header) ? header['segment_id'] : null
    return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : null
  } catch {
    return null
  }
}

/** The first two bytes as a number are a multiple of 31: the format's own check. */
function isZlib(body: Uint8Array): boolean {
  const [method, flags] = body
  if (method === undefined || flags === undefined) return false
  return (method & 0x0f) === deflateMethod && (method * 256 + flags) % 31 === 0
}
