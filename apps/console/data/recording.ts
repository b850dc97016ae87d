import type { ApiReplaySegment } from '@afterimage/protocol/api'
import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

/** A segment that the server has; times are ms on the client's clock, null when it holds no event. */
export interface ListedSegment {
  readonly segmentId: number
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** Reads the recording of one replay in parts. Both methods reject with an Error of the API's message. */
export interface RecordingAtServer {
  /** All segments, in order. */
  list(signal: AbortSignal): Promise<readonly ListedSegment[]>
  /** The events of the `count` segments from place `from` of the list. */
  read(from: number, count: number, signal: AbortSignal): Promise<readonly (readonly unknown[])[]>
}

/** `path` is the replay's own, up to and with `recording-segments/`. */
export function recordingAt(path: string): RecordingAtServer {
  return {
    list: async (signal) => {
      // Sentry returns this list bare and, elsewhere, under `data`.
      const body = await ask<
        readonly ApiReplaySegment[] | { readonly data?: readonly ApiReplaySegment[] }
      >(path, signal)
      const rows = Array.isArray(body) ? body : ((body as { data?: ApiReplaySegment[] }).data ?? [])
      return (rows as readonly ApiReplaySegment[]).map((row) => ({
        segmentId: Number(row.segmentId),
        firstAt: timeOf(row.firstEventAt),
        lastAt: timeOf(row.lastEventAt),
      }))
    },
    read: async (from, count, signal) => {
      const place = from === 0 ? '' : `&cursor=0:${from}:0`
      const body = await ask(`${path}?download=true&per_page=${count}${place}`, signal)
      const rows: readonly unknown[] = Array.isArray(body) ? body : []
      return rows.map((events) => (Array.isArray(events) ? (events as unknown[]) : []))
    },
  }
}

async function ask<T = unknown>(path: string, signal: AbortSignal): Promise<T> {
  const answer: Answer<T> = await sendApi<T>(path, { signal })
  if (!answer.isOk) throw new Error(answer.detail)
  return answer.value
}

function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : time
}
