import type { Client } from '@afterimage/browser/client'
import { cleanAddress } from '@afterimage/browser/clean-address'
import type { OutgoingItem } from '@afterimage/browser/envelope'
import type { Scope } from '@afterimage/browser/scope'
import { sdk } from '@afterimage/browser/version'
import { joinRecording } from '@afterimage/protocol/replay'
import { bodyOf } from './buffer.ts'
import type { Chunk } from './buffer.ts'
import type { Session } from './session.ts'

/** The two items of a segment's envelope: its description and its recording. */
export function segmentItems(
  { options }: Pick<Client, 'options'>,
  scope: Scope,
  session: Session,
  chunk: Chunk,
): OutgoingItem[] {
  const { release, environment = 'production', dist, keepQuery } = options
  const { user, tags, contexts, transaction } = scope.data
  const segmentId = chunk.segmentId!
  const description = {
    type: 'replay_event',
    replay_id: session.id,
    event_id: session.id,
    segment_id: segmentId,
    replay_type: session.sampled,
    replay_start_timestamp: session.startedAt / 1000,
    timestamp: chunk.toMs / 1000,
    urls: chunk.urls,
    error_ids: chunk.errorIds,
    trace_ids: chunk.traceIds,
    platform: 'javascript',
    environment,
    release,
    dist,
    user,
    tags,
    contexts,
    transaction,
    request: {
      url: cleanAddress(location.href, keepQuery),
      headers: { 'User-Agent': navigator.userAgent },
    },
    sdk,
  }
  // Both items are one replay: what becomes of it is counted once, by the outbox.
  return [
    { header: { type: 'replay_event' }, payload: JSON.stringify(description), counts: {} },
    {
      header: { type: 'replay_recording' },
      payload: joinRecording(segmentId, bodyOf(chunk)),
      counts: {},
    },
  ]
}
