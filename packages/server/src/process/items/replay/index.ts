import { decodeJsonObject, type JsonObject } from '@afterimage/protocol/json'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { itemRefusal } from '../container.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { normalizeEvent } from '../../steps/normalize/index.ts'
import { readHexId } from '../../steps/normalize/text.ts'
import { releaseEffects } from '../release-effect.ts'
import { scrubberOf, scrubEvent } from '../../steps/scrub/index.ts'
import { type KnownFields, noFields, ReplayFields } from './private-fields.ts'
import { readRecording, type Recording } from './recording.ts'
import { EventScrubber } from './scrub-events.ts'
import { segmentKeyOf, segmentRow, type SegmentKey } from './row.ts'

/**
 * A segment of a replay is two items of one envelope, `replay_event` (what it is about) and
 * `replay_recording` (what happened), and one row. The event makes the row and takes the recording
 * into it; the recording is then known by its segment, so that a second sending of it is a duplicate
 * as the event is. Each alone makes a row of what it knows.
 */
export function processReplayEvent(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const segment = readSegment(item, context)
  if (isRefusal(segment)) return refusedItem('replay_event', itemRefusal(segment))
  const recording = recordingOf(segment.key, context)
  return segmentItem('replay_event', segment, recording, context)
}

export function processReplayRecording(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const recording = readOnce(item, context)
  if (isRefusal(recording)) return refusedItem('replay_recording', itemRefusal(recording))
  const dropped = droppedParts(recording)
  const owner = ownerOf(item, recording, context)
  if (owner !== null) {
    const identity = `replay_recording:${owner.replayId}:${owner.segmentId}`
    const shared = { rows: [], blobs: [], effects: [], refusal: null, identity }
    return { type: 'replay_recording', quantity: 1, ...shared, ...dropped }
  }
  const replayId = readHexId(context.header.event_id, 32)
  if (replayId === null) {
    const refusal = refuse('invalid_event_id', 'The envelope of a recording names no replay.')
    return refusedItem('replay_recording', itemRefusal(refusal))
  }
  const event = normalizeEvent({ platform: 'javascript' }, context, 'replay_event')
  if (isRefusal(event)) return refusedItem('replay_recording', itemRefusal(event))
  const key = { replayId, segmentId: recording.segmentId }
  return {
    ...segmentItem('replay_recording', { key, raw: {}, event }, recording, context),
    ...dropped,
  }
}

interface Segment {
  readonly key: SegmentKey
  readonly raw: JsonObject
  readonly event: NormalizedEvent
}

function segmentItem(
  type: string,
  { key, raw, event }: Segment,
  recording: Recording | null,
  context: ItemContext,
): ProcessedItem {
  const row = segmentRow(key, raw, event, recording, context)
  const { blobKey } = row.columns
  return {
    type,
    quantity: 1,
    rows: [row],
    blobs: recording === null || blobKey === null ? [] : [{ key: blobKey, bytes: recording.blob }],
    effects: releaseEffects(event),
    refusal: null,
  }
}

function decodeSegment(item: EnvelopeItem, context: ItemContext): Segment | Refusal {
  const raw = decodeJsonObject(item.payload)
  if (isRefusal(raw)) return raw
  const { replayId, segmentId } = segmentKeyOf(raw)
  if (replayId === null) return refuse('missing_field', 'A replay_event needs a replay_id.')
  if (segmentId === null) return refuse('missing_field', 'A replay_event needs a segment_id.')
  const event = normalizeEvent(raw, context, 'replay_event')
  if (isRefusal(event)) return event
  scrubEvent(event, context.scrubbing)
  return { key: { replayId, segmentId }, raw, event }
}

/** Returns the readable recording of a segment in its envelope, or null when there is none. */
function recordingOf(key: SegmentKey, context: ItemContext): Recording | null {
  for (const sibling of context.siblings) {
    if (sibling.header.type !== 'replay_recording') continue
    const recording = readOnce(sibling, context)
    if (!isRefusal(recording) && recording.segmentId === key.segmentId) return recording
  }
  return null
}

/** The segment whose replay_event took this recording into its row; null when none did. */
function ownerOf(
  item: EnvelopeItem,
  recording: Recording,
  context: ItemContext,
): SegmentKey | null {
  for (const sibling of context.siblings) {
    if (sibling.header.type !== 'replay_event') continue
    const segment = readSegment(sibling, context)
    if (isRefusal(segment) || segment.key.segmentId !== recording.segmentId) continue
    return recordingOf(segment.key, context) === readOnce(item, context) ? segment.key : null
  }
  return null
}

/** Both items of a segment need the other; each is read once, since inflating and scrubbing are dear. */
const readSegment = oncePerItem(decodeSegment)
const readOnce = oncePerItem((item, context) =>
  readRecording(item.payload, new EventScrubber(scrubberOf(context.scrubbing), fieldsOf(context))),
)

function oncePerItem<T extends object>(
  read: (item: EnvelopeItem, context: ItemContext) => T,
): (item: EnvelopeItem, context: ItemContext) => T {
  const answers = new WeakMap<EnvelopeItem, T>()
  return (item, context) => {
    const known = answers.get(item)
    if (known !== undefined) return known
    const answer = read(item, context)
    answers.set(item, answer)
    return answer
  }
}

const replayFields = new ReplayFields()

/** Returns the facts of earlier segments about the page; empty when the envelope names no replay. */
function fieldsOf({ header, projectId }: ItemContext): KnownFields {
  const replayId = readHexId(header.event_id, 32)
  return replayId === null ? noFields() : replayFields.of(`${projectId}:${replayId}`)
}

function droppedParts({ dropped }: Recording): Pick<ProcessedItem, 'refusedParts'> | object {
  if (dropped === 0) return {}
  const refusal = refuse('invalid_payload', 'Elements of the recording are not rrweb events.')
  return { refusedParts: [{ refusal: itemRefusal(refusal), quantity: dropped }] }
}
