import type { RecordingEvent } from '@afterimage/protocol/api/replay'

/** Numbers of rrweb's event types, those that we read. */
export const eventType = { full: 2, incremental: 3, meta: 4, custom: 5 } as const

/** rrweb's sources of an incremental event that we read. */
export const eventSource = {
  mutation: 0,
  mouseMove: 1,
  mouseInteraction: 2,
  scroll: 3,
  resize: 4,
  input: 5,
  touchMove: 6,
  media: 7,
  styleRule: 8,
  canvas: 9,
  font: 10,
  drag: 12,
  styleDeclaration: 13,
  selection: 14,
  adoptedSheets: 15,
  customElement: 16,
} as const

/** A recording is untrusted: everything in it is read through these. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** Returns the text, cut to `charsMax`; null when the value is not a string. */
export function textOf(value: unknown, charsMax = 2_048): string | null {
  return typeof value === 'string' ? value.slice(0, charsMax) : null
}

/** A finite number, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Milliseconds of a time that may be in seconds: recorders write performance spans and some
 * breadcrumbs in seconds, with a ten digit number, and everything else in milliseconds.
 */
export function toMs(time: number): number {
  return time > 9_999_999_999 ? time : time * 1000
}

export interface CustomEvent {
  /** ms, the client's clock. */
  readonly timestamp: number
  readonly tag: string
  readonly payload: Fields
}

/** The recorder's own entries: breadcrumbs, performance spans and options. */
export function customOf(event: RecordingEvent): CustomEvent | null {
  if (event.type !== eventType.custom) return null
  const data = fieldsOf(event.data)
  const tag = textOf(data['tag'], 64)
  if (tag === null) return null
  return { timestamp: event.timestamp, tag, payload: fieldsOf(data['payload']) }
}

/** The source of an incremental event; null for any other event. */
export function sourceOf(event: RecordingEvent): number | null {
  return event.type === eventType.incremental ? numberOf(fieldsOf(event.data)['source']) : null
}
