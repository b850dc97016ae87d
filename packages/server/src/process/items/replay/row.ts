import { replayListMax } from '@afterimage/protocol/limits'
import { hash } from 'node:crypto'
import { type JsonObject } from '@afterimage/protocol/json'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { Row } from '../../../storage/events/tables.ts'
import { asList, readCount } from '../fields.ts'
import type { ItemContext } from '../item.ts'
import { eventLimits } from '../../steps/normalize/limits.ts'
import { readHexId } from '../../steps/normalize/text.ts'
import { readTime } from '../../steps/normalize/time.ts'
import { nameAndMajor } from '../../steps/normalize/user-agent.ts'
import { userKey, userLabel } from '../../steps/normalize/user.ts'
import { storedText } from '../span/privacy.ts'
import { sdkLabel } from '../span/sender.ts'
import type { Recording } from './recording.ts'

/** Names one segment of a replay. */
export interface SegmentKey {
  readonly replayId: string
  readonly segmentId: number
}

/**
 * Returns the blob key of a segment's recording. Numbers are padded, so that listings are in order.
 * The content is part of the name, so that a second sending of a segment cannot replace the first.
 */
function recordingBlobKey(
  projectId: number,
  { replayId, segmentId }: SegmentKey,
  blob: Uint8Array,
): string {
  const content = hash('sha256', blob).slice(0, 16)
  return `replays/${projectId}/${replayId}/${String(segmentId).padStart(8, '0')}-${content}`
}

/**
 * The row of a segment, from its event, its recording, or both.
 * @param raw the replay_event as sent; null when the recording came alone, and `event` is then empty
 */
export function segmentRow(
  key: SegmentKey,
  raw: JsonObject,
  event: NormalizedEvent,
  recording: Recording | null,
  context: ItemContext,
): Extract<Row, { table: 'replaySegments' }> {
  const { browser, os, device } = event.contexts
  const startedAt = readTime(raw['replay_start_timestamp'])
  return {
    table: 'replaySegments',
    timestamp: event.timestamp,
    columns: {
      ...key,
      ...recordingColumns(key, recording, context),
      replayType: raw['replay_type'] === 'buffer' ? 'buffer' : 'session',
      startedAt,
      urls: JSON.stringify(urlsOf(raw, recording, context)),
      errorIds: JSON.stringify(idsOf(raw['error_ids'])),
      traceIds: JSON.stringify(idsOf(raw['trace_ids'])),
      release: event.release ?? null,
      environment: event.environment ?? null,
      platform: event.platform,
      userKey: userKey(event.user),
      userLabel: userLabel(event.user),
      username: event.user?.username ?? null,
      browser: nameAndMajor(browser?.['name'], browser?.['version']),
      os: nameAndMajor(os?.['name'], os?.['version']),
      device: nameAndMajor(device?.['name'] ?? device?.['family'], null),
      sdk: sdkLabel(event.sdk?.name ?? null, event.sdk?.version ?? null),
      clientTimestamp: event.client_timestamp,
    },
    tags: event.tags,
    payload: JSON.stringify({ ...event, ...key }),
  }
}

function recordingColumns(key: SegmentKey, recording: Recording | null, context: ItemContext) {
  const facts = recording?.facts
  return {
    blobKey: recording === null ? null : recordingBlobKey(context.projectId, key, recording.blob),
    recordingBytes: recording?.blob.length ?? 0,
    eventCount: facts?.eventCount ?? 0,
    firstEventAt: facts?.firstEventAt ?? null,
    lastEventAt: facts?.lastEventAt ?? null,
    clicks: facts?.clicks ?? 0,
    deadClicks: facts?.deadClicks ?? 0,
    rageClicks: facts?.rageClicks ?? 0,
    warnings: facts?.warnings ?? 0,
    infos: facts?.infos ?? 0,
  }
}

/** The pages as the SDK lists them, else as the recording shows them. */
function urlsOf(raw: JsonObject, recording: Recording | null, context: ItemContext): string[] {
  const sent = asList(raw['urls'])
    .slice(0, replayListMax)
    .filter((url) => typeof url === 'string')
  const urls = sent.length > 0 ? sent : (recording?.facts.urls ?? [])
  return urls.map((url) => storedText(url.slice(0, eventLimits.url), context))
}

function idsOf(raw: unknown): string[] {
  const ids = asList(raw)
    .slice(0, replayListMax)
    .flatMap((id) => readHexId(id, 32) ?? [])
  return [...new Set(ids)]
}

/** The key a replay_event gives itself; null for what is missing or malformed. */
export function segmentKeyOf(raw: JsonObject): {
  readonly replayId: string | null
  readonly segmentId: number | null
} {
  return {
    replayId: readHexId(raw['replay_id'] ?? raw['event_id'], 32),
    segmentId: readCount(raw['segment_id']),
  }
}
