import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { customOf, eventType, fieldsOf, textOf } from './recorded.ts'
import type { Recording } from './recording.ts'

/** One page the person was on, from `at` until the next one. */
export interface Chapter {
  /** ms since the start. */
  readonly at: number
  readonly until: number
  readonly url: string
  readonly path: string
}

/** Chapters shown; a page that rewrites its address on every key stroke must not fill the screen. */
export const chaptersMax = 500

/** The pages in order: page loads (Meta) and changes of address within one. */
export function deriveChapters(recording: Recording): readonly Chapter[] {
  const visits: { at: number; url: string }[] = []
  for (const event of recording.events) {
    const url = addressOf(event, visits.at(-1)?.url ?? null)
    if (url === null || visits.at(-1)?.url === url || visits.length >= chaptersMax) continue
    visits.push({ at: Math.max(0, event.timestamp - recording.startedAt), url })
  }
  return visits.map((visit, index) => ({
    ...visit,
    until: visits[index + 1]?.at ?? recording.durationMs,
    path: pathOf(visit.url),
  }))
}

/** The chapter at `at`, the first one before it begins; null when no address was recorded. */
export function chapterAt(chapters: readonly Chapter[], at: number): Chapter | null {
  let found = chapters[0] ?? null
  for (const chapter of chapters) {
    if (chapter.at > at) break
    found = chapter
  }
  return found
}

function addressOf(event: RecordingEvent, current: string | null): string | null {
  if (event.type === eventType.meta) return textOf(fieldsOf(event.data)['href'])
  const custom = customOf(event)
  if (custom === null) return null
  if (custom.tag === 'performanceSpan' && custom.payload['op'] === 'navigation.push') {
    return resolve(textOf(custom.payload['description']), current)
  }
  if (custom.tag === 'breadcrumb' && custom.payload['category'] === 'navigation') {
    return resolve(textOf(fieldsOf(custom.payload['data'])['to']), current)
  }
  return null
}

function resolve(address: string | null, base: string | null): string | null {
  if (address === null || address === '') return null
  try {
    return new URL(address, base ?? undefined).href
  } catch {
    return address
  }
}

/** Returns the path and query of an address, or the address as it is when it is not a valid URL. */
export function pathOf(url: string): string {
  try {
    const parsed = new URL(url)
    return parsed.protocol.startsWith('http') ? `${parsed.pathname}${parsed.search}` : url
  } catch {
    return url
  }
}
