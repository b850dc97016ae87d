/**
 * What a recording is made of: rrweb's events, and the custom ones that a recorder adds. Numbers are
 * rrweb's own.
 * @see https://github.com/rrweb-io/rrweb
 */

export const recordedEventTypes = {
  domContentLoaded: 0,
  load: 1,
  fullSnapshot: 2,
  incremental: 3,
  meta: 4,
  custom: 5,
  plugin: 6,
} as const

export const incrementalSources = {
  mutation: 0,
  mouseMove: 1,
  mouseInteraction: 2,
  scroll: 3,
  viewportResize: 4,
  input: 5,
  touchMove: 6,
  mediaInteraction: 7,
  styleSheetRule: 8,
  canvasMutation: 9,
  font: 10,
  log: 11,
  drag: 12,
  styleDeclaration: 13,
  selection: 14,
  adoptedStyleSheet: 15,
} as const

export const mouseInteractions = {
  up: 0,
  down: 1,
  click: 2,
  contextMenu: 3,
  doubleClick: 4,
  focus: 5,
  blur: 6,
  touchStart: 7,
  touchEnd: 9,
  touchCancel: 10,
} as const

/** Any event of a recording. `data` depends on `type`, and is not to be trusted. */
export interface RecordedEvent {
  readonly type: number
  /** Milliseconds since the epoch, by the client's clock. */
  readonly timestamp: number
  readonly data?: unknown
}

/** Type 4: where the page was and how large. Comes before each full snapshot. */
export interface RecordedMeta {
  readonly href: string
  readonly width: number
  readonly height: number
}

/** Tags of custom events (type 5). */
export const customEventTags = ['options', 'breadcrumb', 'performanceSpan'] as const

/** Payload of `breadcrumb`: something a person or the page did. */
export interface RecordedBreadcrumb {
  /** Seconds since the epoch, unlike the event that carries it. */
  readonly timestamp: number
  readonly type?: string
  readonly category?: string
  readonly message?: string
  readonly level?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Payload of `performanceSpan`: something that took time, such as a request. */
export interface RecordedSpan {
  readonly op: string
  readonly description: string
  /** Seconds since the epoch, as is `endTimestamp`. */
  readonly startTimestamp: number
  readonly endTimestamp: number
  readonly data?: Readonly<Record<string, unknown>>
}
