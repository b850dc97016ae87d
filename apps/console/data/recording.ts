import type { ApiReplaySegment } from '@afterimage/protocol/api'
import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

/** Segments fetched at once: about a hundred seconds of a recording. */
const segmentsPerRequest = 20

export interface RecordingPart {
  readonly segments: readonly { readonly segmentId: number; readonly events: readonly unknown[] }[]
  readonly total: number
}

/**
 * Reads the segments of a replay in order, some at a time. The list of segments comes first: the
 * events themselves do not say which segment they are of. `path` is the replay's own, up to and with
 * `recording-segments/`.
 * @throws Error with the API's words when it refuses
 */
export async function* readRecording(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<RecordingPart> {
  const listed = await readList(path, signal)
  let cursor: string | null = null
  let position = 0
  do {
    const page: Answer<unknown> = await sendApi<unknown>(
      `${path}?download=true&per_page=${segmentsPerRequest}${cursorParameter(cursor)}`,
      { signal },
    )
    if (!page.isOk) throw new Error(page.detail)
    const rows: readonly unknown[] = Array.isArray(page.value) ? page.value : []
    const segments: RecordingPart['segments'] = rows.map((events, index) => ({
      segmentId: listed[position + index] ?? position + index,
      events: Array.isArray(events) ? (events as unknown[]) : [],
    }))
    position += segments.length
    cursor = segments.length === 0 ? null : page.next
    yield { segments, total: Math.max(listed.length, position) }
  } while (cursor !== null && !signal.aborted)
}

/** The ids of all segments, in order. */
async function readList(path: string, signal: AbortSignal): Promise<readonly number[]> {
  const ids: number[] = []
  let cursor: string | null = null
  do {
    const page: Answer<unknown> = await sendApi<unknown>(
      `${path}?per_page=100${cursorParameter(cursor)}`,
      { signal },
    )
    if (!page.isOk) throw new Error(page.detail)
    // Sentry answers this list bare and, elsewhere, under `data`.
    const body = page.value as
      | readonly ApiReplaySegment[]
      | { readonly data?: readonly ApiReplaySegment[] }
    const rows = Array.isArray(body) ? body : ((body as { data?: ApiReplaySegment[] }).data ?? [])
    for (const row of rows as readonly ApiReplaySegment[]) ids.push(Number(row.segmentId))
    cursor = rows.length === 0 ? null : page.next
  } while (cursor !== null && !signal.aborted)
  return ids
}

function cursorParameter(cursor: string | null): string {
  return cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
}
