import { customOf, fieldsOf, numberOf, textOf, toMs } from './recorded.ts'
import type { Fields } from './recorded.ts'
import type { Recording } from './recording.ts'

export interface NetworkRow {
  readonly id: string
  /** ms since the start; negative when it began before the first picture. */
  readonly at: number
  readonly until: number
  readonly durationMs: number
  readonly method: string
  readonly url: string
  /** Path and query on the recorded site; the whole address elsewhere. */
  readonly label: string
  /** Null when the recorder does not know it; 0 is a request that got no answer. */
  readonly status: number | null
  /** `fetch` and `xhr` are the page's own requests; the others are its assets. */
  readonly initiator: string
  readonly isAsset: boolean
  readonly isFailed: boolean
  readonly bytes: number | null
  readonly request: Fields
  readonly response: Fields
}

export const networkRowsMax = 20_000

/** The requests of a replay in order of their start. */
export function deriveNetwork(recording: Recording): readonly NetworkRow[] {
  const rows: NetworkRow[] = []
  for (const event of recording.events) {
    const custom = customOf(event)
    if (custom?.tag !== 'performanceSpan' || rows.length >= networkRowsMax) continue
    const op = textOf(custom.payload['op'], 64) ?? ''
    if (!op.startsWith('resource.')) continue
    rows.push(networkRow(`n${rows.length}`, op.slice(9), custom.payload, recording.startedAt))
  }
  return rows.sort((a, b) => a.at - b.at)
}

function networkRow(id: string, initiator: string, payload: Fields, startedAt: number): NetworkRow {
  const data = fieldsOf(payload['data'])
  const start = toMs(numberOf(payload['startTimestamp']) ?? startedAt)
  const end = Math.max(start, toMs(numberOf(payload['endTimestamp']) ?? start))
  const isAsset = initiator !== 'fetch' && initiator !== 'xhr'
  const status = numberOf(data['statusCode'])
  const response = fieldsOf(data['response'])
  const url = textOf(payload['description'], 8_192) ?? ''
  return {
    id,
    at: start - startedAt,
    until: end - startedAt,
    durationMs: end - start,
    method: textOf(data['method'], 16) ?? 'GET',
    url,
    label: labelOf(url),
    status,
    initiator,
    isAsset,
    isFailed: status !== null && (status >= 400 || (status === 0 && !isAsset)),
    bytes:
      numberOf(response['size']) ?? numberOf(data['responseBodySize']) ?? numberOf(data['size']),
    request: fieldsOf(data['request']),
    response,
  }
}

function labelOf(url: string): string {
  try {
    const parsed = new URL(url)
    return `${parsed.pathname}${parsed.search}`
  } catch {
    return url
  }
}
