import type {
  ApiBreadcrumb,
  ApiEventUser,
  ApiException,
  ApiFrame,
  ApiMechanism,
  ApiRequest,
  ApiStacktrace,
  ApiThread,
} from '@afterimage/protocol/api/event'
import type {
  EventBreadcrumb,
  EventException,
  EventFrame,
  EventRequest,
  EventStacktrace,
  EventThread,
  EventUser,
} from '@afterimage/protocol/event'
import { iso } from '../api/answer.ts'

export function apiUser(user: EventUser): ApiEventUser {
  return {
    id: user.id ?? null,
    email: user.email ?? null,
    username: user.username ?? null,
    name: user.name ?? null,
    ip_address: user.ip_address ?? null,
    data: { ...user.data, ...(user.geo === undefined ? {} : { geo: user.geo }) },
  }
}

export function apiException(exception: EventException): ApiException {
  return {
    type: exception.type ?? null,
    value: exception.value ?? null,
    module: exception.module ?? null,
    threadId: exception.thread_id ?? null,
    mechanism: exception.mechanism === undefined ? null : apiMechanism(exception.mechanism),
    stacktrace: apiStacktrace(exception.stacktrace),
    rawStacktrace: apiStacktrace(exception.raw_stacktrace),
  }
}

function apiMechanism(mechanism: NonNullable<EventException['mechanism']>): ApiMechanism {
  const { handled, meta: _, ...rest } = mechanism
  return { ...rest, handled: handled ?? null }
}

export function apiThread(thread: EventThread): ApiThread {
  return {
    id: thread.id ?? null,
    name: thread.name ?? null,
    crashed: thread.crashed === true,
    current: thread.current === true,
    stacktrace: apiStacktrace(thread.stacktrace),
  }
}

export function apiStacktrace(stacktrace: EventStacktrace | undefined): ApiStacktrace | null {
  if (stacktrace === undefined) return null
  const { frames } = stacktrace
  return {
    frames: frames.map(apiFrame),
    framesOmitted: stacktrace.frames_omitted ?? null,
    hasSystemFrames: frames.some((frame) => !frame.in_app) && frames.some((frame) => frame.in_app),
  }
}

function apiFrame(frame: EventFrame): ApiFrame {
  return {
    filename: frame.filename ?? null,
    absPath: frame.abs_path ?? null,
    module: frame.module ?? null,
    package: frame.package ?? null,
    function: frame.function ?? null,
    rawFunction: frame.raw_function ?? null,
    lineNo: frame.lineno ?? null,
    colNo: frame.colno ?? null,
    inApp: frame.in_app,
    context: contextOf(frame),
    vars: frame.vars ?? null,
    platform: frame.platform ?? null,
  }
}

/** The lines around the frame's own, with their numbers; none without the line itself. */
function contextOf(frame: EventFrame): readonly (readonly [number, string])[] {
  if (frame.context_line === undefined) return []
  const before = frame.pre_context ?? []
  const line = frame.lineno ?? 0
  return [...before, frame.context_line, ...(frame.post_context ?? [])].map(
    (text, index) => [line - before.length + index, text] as const,
  )
}

export function apiBreadcrumb(breadcrumb: EventBreadcrumb): ApiBreadcrumb {
  return {
    timestamp: breadcrumb.timestamp === undefined ? null : iso(breadcrumb.timestamp),
    type: breadcrumb.type,
    category: breadcrumb.category ?? null,
    level: breadcrumb.level,
    message: breadcrumb.message ?? null,
    data: breadcrumb.data ?? null,
    event_id: breadcrumb.event_id ?? null,
  }
}

export function apiRequest(request: EventRequest): ApiRequest {
  return {
    url: request.url ?? null,
    method: request.method ?? null,
    query: request.query_string ?? null,
    fragment: request.fragment ?? null,
    data: request.data ?? null,
    headers: request.headers ?? [],
    cookies: request.cookies ?? [],
    env: request.env ?? null,
    inferredContentType: request.inferred_content_type ?? null,
  }
}
