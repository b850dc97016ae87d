import { inflate } from 'node:zlib'
import { promisify } from 'node:util'
import type { Blobs } from '../storage/blobs/port.ts'
import type { EventStore, Page, PageQuery } from '../storage/events/port.ts'
import type { StoredRow } from '../storage/events/tables.ts'
import { REPLAY_SEGMENTS_MAX } from '../search/limits.ts'

type SegmentRow = StoredRow<'replaySegments'>

/** A segment that inflates to more is not one a recorder wrote. */
const SEGMENT_BYTES_MAX = 100_000_000

const PAGE_ROWS = 1000

const inflateBytes = promisify(inflate)

/** The segments of a replay that the store has, in order of their number. */
export async function segmentsOfReplay(
  events: EventStore,
  projectId: number,
  replayId: string,
): Promise<readonly SegmentRow[]> {
  const rows: SegmentRow[] = []
  let cursor: string | undefined
  do {
    const page = await pageOfSegments(events, projectId, replayId, {
      ...(cursor === undefined ? {} : { cursor }),
      limit: PAGE_ROWS,
    })
    rows.push(...page.rows)
    cursor = page.next
  } while (cursor !== undefined && rows.length < REPLAY_SEGMENTS_MAX)
  return rows
}

/** Some segments of a replay, in order of their number. */
export function pageOfSegments(
  events: EventStore,
  projectId: number,
  replayId: string,
  part: Pick<PageQuery<'replaySegments'>, 'cursor' | 'offset' | 'limit'>,
): Promise<Page<'replaySegments'>> {
  return events.page({
    table: 'replaySegments',
    projectIds: [projectId],
    where: [{ field: 'replayId', op: 'is', value: replayId }],
    order: { field: 'segmentId', descending: false },
    ...part,
  })
}

const emptyList = new TextEncoder().encode('[]')

/** The rrweb events of a segment as JSON text; an empty list where the recording never came or is damaged. */
export async function recordingOf(blobs: Blobs, segment: SegmentRow): Promise<Uint8Array> {
  const { blobKey } = segment.columns
  const blob = blobKey === null ? null : await blobs.get(blobKey)
  if (blob === null) return emptyList
  const packed = new Uint8Array(await new Response(blob.body as BodyInit).arrayBuffer())
  try {
    return await inflateBytes(packed, { maxOutputLength: SEGMENT_BYTES_MAX })
  } catch {
    return emptyList
  }
}

/** `[[…events of the first segment], […], …]`, one segment in memory at a time. */
export function streamRecordings(
  blobs: Blobs,
  segments: readonly SegmentRow[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let index = 0
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const segment = segments[index]
      if (segment === undefined) {
        controller.enqueue(encoder.encode(index === 0 ? '[]' : ']'))
        controller.close()
        return
      }
      controller.enqueue(encoder.encode(index === 0 ? '[' : ','))
      controller.enqueue(await recordingOf(blobs, segment))
      index += 1
    },
  })
}
