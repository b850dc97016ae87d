import { recordingBytesMax, recordingInflatedBytesMax } from '@afterimage/protocol/limits'
import { deflateSync, inflateSync } from 'node:zlib'
import { splitRecording, type Recording as SplitRecording } from '@afterimage/protocol/replay'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import { itemLimits } from '../item-limits.ts'
import { RecordingFacts } from './facts.ts'
import { listElements, type ListElement } from './list-elements.ts'

/** A recording that was read: what is kept of it, and what it tells. */
export interface Recording {
  readonly segmentId: number
  /** The JSON list of rrweb events, zlib. */
  readonly blob: Uint8Array
  /** Bytes of the list before compression. */
  readonly bytes: number
  readonly facts: RecordingFacts
  /** Elements that were no rrweb events and are not kept. */
  readonly dropped: number
}

/**
 * Reads the payload of a replay_recording: a line of JSON with the segment's number, then the list of
 * rrweb events, zlib or plain. The list is kept byte for byte unless something in it is no event.
 */
export function readRecording(payload: Uint8Array): Recording | Refusal {
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
  const kept = readEvents(list, elements, facts)
  if (isRefusal(kept)) return kept
  const isWhole = kept.length === elements.length && elements.length < itemLimits.recordingEventsMax
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

/** What a body of either form holds, and the zlib bytes to keep of it: null when there are none yet. */
interface Unpacked {
  readonly list: Uint8Array
  readonly packed: Uint8Array | null
}

/** NOTE: the bound is on what comes out, so a bomb stops at it and costs no more. */
function unpack({ body, isCompressed }: SplitRecording): Unpacked | Refusal {
  if (!isCompressed) return { list: body, packed: null }
  const maxOutputLength = recordingInflatedBytesMax
  try {
    const { buffer, engine } = inflateSync(body, {
      maxOutputLength,
      info: true,
    }) as unknown as InflatedInfo
    // Bytes after the end of the stream are none of it, and a browser would not inflate it with them.
    return { list: buffer, packed: body.subarray(0, engine.bytesWritten) }
  } catch (error) {
    const isBomb = error instanceof RangeError
    return isBomb
      ? refuse('too_large', 'The recording inflates to more than its limit.')
      : refuse('invalid_payload', 'The recording is not zlib data.')
  }
}

/** The events themselves; a refusal when one is not JSON, since then the list was none. */
function readEvents(
  list: Uint8Array,
  elements: readonly ListElement[],
  facts: RecordingFacts,
): readonly ListElement[] | Refusal {
  const kept: ListElement[] = []
  for (const element of elements) {
    if (isTooLarge(element)) continue
    const event = parseStrictly(list.subarray(element.start, element.end))
    if (isRefusal(event)) return event
    if (facts.add(event.value)) kept.push(element)
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

function joined(list: Uint8Array, elements: readonly ListElement[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('[')]
  for (const [index, element] of elements.entries()) {
    if (index > 0) parts.push(Buffer.from(','))
    parts.push(list.subarray(element.start, element.end))
  }
  parts.push(Buffer.from(']'))
  return Buffer.concat(parts)
}
