/**
 * An event as the server keeps it. It comes from an SDK of any age or language, with aliases
 * resolved, wrappers opened, limits applied and secrets removed. Members carry their wire names;
 * times are milliseconds since the epoch (the wire has seconds or ISO text). A missing member is
 * absent, so that stored JSON stays small.
 * @see https://develop.sentry.dev/sdk/data-model/event-payloads/
 */
export interface NormalizedEvent {
  /** 32 lower-case hex characters. */
  readonly event_id: string
  readonly type: EventType
  /** ms, after correction of clock drift; the time of receipt when the event gave none. */
  timestamp: number
  /** ms, as the client's clock had it; `timestamp - client_timestamp` is the correction. */
  client_timestamp: number
  readonly received: number
  readonly platform: string
  readonly level: EventLevel
  logger?: string
  transaction?: string
  culprit?: string
  server_name?: string
  site?: string
  release?: string
  dist?: string
  environment?: string
  fingerprint?: readonly string[]
  checksum?: string
  sdk?: EventSdk
  logentry?: EventMessage
  exception?: EventException[]
  /** A stack trace without an exception. */
  stacktrace?: EventStacktrace
  raw_stacktrace?: EventStacktrace
  threads?: EventThread[]
  breadcrumbs?: EventBreadcrumb[]
  request?: EventRequest
  user?: EventUser
  tags: Record<string, string>
  contexts: Record<string, EventBag>
  extra?: EventBag
  modules?: Record<string, string>
  debug_meta?: { images: EventBag[] }
  /** Absent when the project has no uploads, or no frame could have a source map. */
  symbolication?: EventSymbolication
  template?: EventBag
  /** The browser's report, for the security types. */
  security?: EventBag
  /** Problems of the payload, as the SDK (first) and the server found them. */
  errors?: EventProblem[]
}

export const eventTypes = [
  'error',
  'default',
  'transaction',
  'feedback',
  'replay_event',
  'csp',
  'hpkp',
  'expectct',
  'expectstaple',
] as const

export type EventType = (typeof eventTypes)[number]

export const eventLevels = ['fatal', 'error', 'warning', 'info', 'debug', 'sample'] as const

export type EventLevel = (typeof eventLevels)[number]

/** JSON of unknown shape, bounded in size and depth. */
export type EventBag = Record<string, unknown>

export interface EventSdk {
  name: string
  version: string
  integrations?: string[]
  packages?: { name: string; version: string }[]
  settings?: EventBag
}

export interface EventMessage {
  /** The template, with its placeholders, when there is one. */
  message?: string
  /** The text that people read. */
  formatted: string
  params?: unknown
}

/** Causes come first: the last of the list is what was thrown. */
export interface EventException {
  type?: string
  value?: string
  module?: string
  thread_id?: string | number
  mechanism?: EventMechanism
  stacktrace?: EventStacktrace
  /** As it came, when its frames were mapped to their sources. */
  raw_stacktrace?: EventStacktrace
}

export interface EventMechanism {
  type: string
  /** False when nothing caught it; absent when the SDK did not say. */
  handled?: boolean
  synthetic?: boolean
  description?: string
  help_link?: string
  data?: EventBag
  meta?: EventBag
  exception_id?: number
  parent_id?: number
  is_exception_group?: boolean
  source?: string
}

/** Frames are oldest first: the last one is where it was thrown. */
export interface EventStacktrace {
  frames: EventFrame[]
  frames_omitted?: [number, number]
}

export interface EventFrame {
  filename?: string
  abs_path?: string
  function?: string
  raw_function?: string
  module?: string
  package?: string
  /** 1-based, as is `colno`. */
  lineno?: number
  colno?: number
  pre_context?: string[]
  context_line?: string
  post_context?: string[]
  /** Code of the application, as opposed to its libraries. */
  in_app: boolean
  vars?: EventBag
  platform?: string
  data?: EventBag
  debug_id?: string
  /** Native frames. */
  instruction_addr?: string
}

/**
 * Why a script, or one of its frames, is not mapped: nothing was uploaded for it (`js_no_source`), the
 * script is there without its map, the map is not a usable one, the map is not ready yet, the text of
 * the source is not in the map, or the position is not.
 */
export const symbolicationProblems = [
  'js_no_source',
  'js_missing_sourcemap',
  'js_invalid_sourcemap',
  'js_not_ready',
  'js_missing_sources_content',
  'js_invalid_sourcemap_location',
] as const

export type SymbolicationProblem = (typeof symbolicationProblems)[number]

/** The scripts of an event's stacks, with what came of their source maps. */
export interface EventSymbolication {
  readonly scripts: readonly ScriptSymbolication[]
}

/** One script. A frame that has a problem of its own names it in `data.problem`. */
export interface ScriptSymbolication {
  /** As the frames name it. */
  url: string
  debug_id?: string
  /** Absent when no upload was found. */
  resolved_with?: 'debug-id' | 'release' | 'release-old'
  /** Urls of the uploads that were found. */
  script?: string
  source_map?: string
  /** Its frames, and those of them that were mapped. */
  frames: number
  mapped: number
  /** Absent when the map could be asked. */
  problem?: SymbolicationProblem
  /** A sentence on the problem. */
  detail?: string
}

export interface EventThread {
  id?: string | number
  name?: string
  crashed?: boolean
  current?: boolean
  main?: boolean
  state?: string
  stacktrace?: EventStacktrace
  raw_stacktrace?: EventStacktrace
}

export interface EventBreadcrumb {
  /** ms, corrected like the event's own; absent when the SDK gave none. */
  timestamp?: number
  type: string
  category?: string
  level: string
  message?: string
  data?: EventBag
  event_id?: string
}

export interface EventRequest {
  /** Without its query string and fragment. */
  url?: string
  method?: string
  /** Pairs in order; text when it could not be read as pairs. */
  query_string?: [string, string][] | string
  fragment?: string
  data?: unknown
  inferred_content_type?: string
  /** Names in Title-Case; without Cookie, which is in `cookies`. */
  headers?: [string, string][]
  cookies?: [string, string][]
  env?: EventBag
}

export interface EventUser {
  id?: string
  username?: string
  email?: string
  name?: string
  /** Only where the project stores IP addresses. */
  ip_address?: string
  segment?: string
  geo?: EventBag
  data?: EventBag
}

/** `name` is the path of the member, `value` a short form of what stood there. */
export interface EventProblem {
  type: string
  name?: string
  value?: unknown
}
