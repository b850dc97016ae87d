import type { Client } from '@afterimage/sdk-core/client'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import type { OutgoingItem } from '@afterimage/sdk-core/envelope'
import type { Scope } from '@afterimage/sdk-core/scope'
import { describePage } from '@afterimage/sdk-core/page-request'
import { sdk } from '@afterimage/sdk-core/version'
import { joinRecording } from '@afterimage/protocol/replay'
import { bodyOf } from './buffer.ts'
import type { Chunk } from './buffer.ts'
import type { Session } from './session.ts'

/** The two items of an envelope: a description and a recording. */
export interface Segment {
  readonly items: readonly OutgoingItem[]
  /** Size of the envelope, with the header that the client adds. */
  readonly bytes: number
}

/** Makes the segment of a chunk, and gives it its number. */
export function segmentOf(
  { options }: Pick<Client, 'options'>,
  { data }: Scope,
  session: Session,
  chunk: Chunk,
): Segment {
  const segmentId = (chunk.segmentId ??= session.segmentId++)
  const event_id = session.id
  const description = {
    type: 'replay_event',
    replay_id: event_id,
    event_id,
    segment_id: segmentId,
    replay_type: session.sampled,
    replay_start_timestamp: session.startedAt / 1000,
    timestamp: chunk.toMs / 1000,
    urls: chunk.urls,
    error_ids: chunk.errorIds,
    trace_ids: chunk.traceIds,
    platform: 'javascript',
    environment: options.environment,
    release: options.release,
    dist: options.dist,
    user: data.user,
    tags: data.tags,
    contexts: data.contexts,
    transaction: data.transaction,
    request: describePage(options.keepQuery),
    sdk,
  }
  // Both items are one replay: the outbox counts its outcome once.
  const items = [
    itemOf('event', JSON.stringify(description)),
    itemOf('recording', joinRecording(segmentId, bodyOf(chunk))),
  ]
  const header = { event_id, sent_at: new Date(), sdk, dsn: options.dsn }
  return { items, bytes: encodeEnvelope(header, items).length }
}

function itemOf(kind: string, payload: string | Uint8Array): OutgoingItem {
  return { header: { type: `replay_${kind}` }, payload, counts: {} }
}
