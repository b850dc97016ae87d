import { recordingBytesMax, recordingInflatedBytesMax } from '@afterimage/protocol/limits'
import { deflateSync, inflateSync } from 'node:zlib'
import { splitRecording, type Recording as SplitRecording } from '@afterimage/protocol/replay'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import { memberOf } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import { RecordingFacts } from './facts.ts'
import { listElements, type ListElement } from './list-elements.ts'
import type { EventScrubber } from './scrub-events.ts'

/** A recording that was read: its stored bytes, and the facts in it. */
export interface Recording {
  readonly segmentId: number
  /** The JSON list of rrweb events, zlib. */
  readonly blob: Uint8Array
  /** Bytes of the list before compression. */
  readonly bytes: number
  readonly facts: RecordingFacts
  /** Elements dropped because they were not rrweb events. */
  readonly dropped: number
}

/**
 * Reads the payload of a replay_recording: a line of JSON with the segment's number, then the list of
 * rrweb events, zlib or plain. The list is kept byte for byte unless something in it is not an event, or
 * holds a secret.
 */
export function readRecording(payload: Uint8Array, scrubber: EventScrubber): Recording | Refusal {
  if (payload.length > recordingBytesMax) {
    return refuse('too_large', `A recording of ${payload.length} bytes is too large.`)
  }
  const split = splitRecording(payload)
  if (isRefusal(split)) return split
  const unpacked = unpack(split)
  if (isRefusal(unpacked)) return unpacked
  const { list, packed } = unpacked
  const elements = listElements(list)
  if (elements === null) return refuse('invalid_payload', 'The recording is not a JSON list.')
  const facts = new RecordingFacts()
  const kept = readEvents(list, elements, facts, scrubber)
  if (isRefusal(kept)) return kept
  const isWhole =
    kept.length === elements.length &&
    elements.length < itemLimits.recordingEventsMax &&
    kept.every(({ scrubbed }) => scrubbed === null)
  return {
    segmentId: split.segmentId,
    blob: isWhole ? (packed ?? deflateSync(list)) : deflateSync(joined(list, kept)),
    bytes: list.length,
    facts,
    dropped: elements.length - kept.length,
  }
}

/** `inflateSync` with `info` also gives the engine, which knows how much it read. */
interface InflatedInfo {
  readonly buffer: Uint8Array
  readonly engine: { readonly bytesWritten: number }
}

/** The JSON list of a body, and its zlib bytes to keep: null when it came uncompressed. */
interface Unpacked {
  readonly list: Uint8Array
  readonly packed: Uint8Array | null
}

/** Inflates a body. The bound is on the output, so a bomb stops there and costs no more. */
function unpack({ body, isCompressed }: SplitRecording): Unpacked | Refusal {
  if (!isCompressed) return { list: body, packed: null }
  const maxOutputLength = recordingInflatedBytesMax
  try {
    const { buffer, engine } = inflateSync(body, {
      maxOutputLength,
      info: true,
    }) as unknown as InflatedInfo
    // Bytes after the end of the stream are cut off: a browser refuses to inflate a stream with them.
    return { list: buffer, packed: body.subarray(0, engine.bytesWritten) }
  } catch (error) {
    const isBomb = error instanceof RangeError
    return isBomb
      ? refuse('too_large', 'The recording inflates to more than its limit.')
      : refuse('invalid_payload', 'The recording is not zlib data.')
  }
}

/** An event that is kept: its place in the list, and its new JSON when something was removed. */
interface KeptEvent {
  readonly element: ListElement
  readonly scrubbed: Uint8Array | null
}

/** Reads the events; refuses the list when one of them is not valid JSON. */
function readEvents(
  list: Uint8Array,
  elements: readonly ListElement[],
  facts: RecordingFacts,
  scrubber: EventScrubber,
): readonly KeptEvent[] | Refusal {
  const kept: KeptEvent[] = []
  for (const element of elements) {
    if (isTooLarge(element)) continue
    const event = parseStrictly(list.subarray(element.start, element.end))
    if (isRefusal(event)) return event
    if (isTooLargePicture(event.value, element)) continue
    const hasChanged = scrubber.scrub(event.value)
    if (!facts.add(event.value)) continue
    const scrubbed = hasChanged ? Buffer.from(JSON.stringify(event.value)) : null
    kept.push({ element, scrubbed })
  }
  return kept
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** NOTE: not the tolerant reader of other items, since these bytes are kept for a player to parse. */
function parseStrictly(bytes: Uint8Array): { readonly value: unknown } | Refusal {
  try {
    return { value: JSON.parse(decoder.decode(bytes)) as unknown }
  } catch {
    return refuse('invalid_json', 'An event of the recording is not JSON.')
  }
}

function isTooLarge({ start, end, values, depth }: ListElement): boolean {
  return (
    end - start > itemLimits.recordingEventBytesMax ||
    values > itemLimits.recordingEventValuesMax ||
    depth > itemLimits.recordingDepthMax
  )
}

/** Incremental events of rrweb, and their source for canvases. */
const increment = 3
const canvasMutation = 9

function isTooLargePicture(event: unknown, { start, end }: ListElement): boolean {
  return (
    end - start > itemLimits.recordingPictureBytesMax &&
    memberOf(event, 'type') === increment &&
    memberOf(event, 'data', 'source') === canvasMutation
  )
}

function joined(list: Uint8Array, events: readonly KeptEvent[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('[')]
  for (const [index, { element, scrubbed }] of events.entries()) {
    if (index > 0) parts.push(Buffer.from(','))
    parts.push(scrubbed ?? list.subarray(element.start, element.end))
  }
  parts.push(Buffer.from(']'))
  return Buffer.concat(parts)
}
