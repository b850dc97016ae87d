import { createId } from '@afterimage/protocol/ids'
import { isFirstCapture } from '../captured.ts'
import { cleanAddress } from '../clean-address.ts'
import { debugImages } from '../debug-ids.ts'
import type { CaptureContext, SdkEvent } from '../event.ts'
import { exceptionEvent } from '../exception.ts'
import { normalize } from '../normalize.ts'

/** The request that was answered; nothing else of it is read. */
export interface ServerRequest {
  readonly method: string
  /** The path with its query, or a whole address. */
  readonly address: string
  readonly userAgent?: string | undefined
}

/** Facts about something thrown on the server. */
export interface ServerHint {
  /** The way it was caught. */
  readonly mechanism: string
  readonly request?: ServerRequest | undefined
  /** The route as its framework writes it. */
  readonly route?: string | undefined
  /** The framework's own tags and contexts. A `trace` among them replaces one of its own. */
  readonly tags?: SdkEvent['tags']
  readonly contexts?: SdkEvent['contexts']
  /** Members of the capture, laid over all others. */
  readonly words?: CaptureContext | undefined
}

interface Surroundings {
  readonly release?: string
  readonly environment?: string
}

/** Frames of these are not the application's own. */
const foreign = /^node:|[/\\]node_modules[/\\]|node_modules_|\[turbopack\]_runtime|^<anonymous>$/

/** Makes the event of something thrown while a request was answered. */
export function serverEvent(thrown: unknown, hint: ServerHint, given: Surroundings): SdkEvent {
  const { mechanism, route, request, words = {} } = hint
  isFirstCapture(thrown)
  const { exception, extra } = exceptionEvent(thrown, {
    mechanism: { type: mechanism, handled: false },
  })
  const event: SdkEvent = { exception: exception ?? { values: [] } }
  const images = debugImages(event)
  nameFrames(event)
  const { tags, contexts, ...others } = normalize(words)
  return {
    ...event,
    ...common(request, given),
    timestamp: Date.now() / 1000,
    level: 'error',
    ...(extra !== undefined && { extra }),
    ...(route !== undefined && { transaction: nameOf(route, request) }),
    tags: { runtime: 'server', ...hint.tags, ...tags },
    contexts: {
      trace: { trace_id: createId(), span_id: createId(8) },
      ...hint.contexts,
      ...contexts,
    },
    ...(images.length > 0 && {
      debug_meta: {
        images: images.map((it) => ({ ...it, code_file: publicPlace(it.code_file) })),
      },
    }),
    ...others,
  }
}

/** A request that was answered, as it was measured. */
export interface ServedRequest {
  readonly request: ServerRequest
  readonly route: string
  /** Ms since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
  /** The trace in which it was answered; its `span_id` is that of the request. */
  readonly trace: Readonly<Record<string, unknown>>
  /** The status of the answer. */
  readonly status: number
}

/** Makes the transaction of a request that was answered. */
export function serverTransaction(served: ServedRequest, given: Surroundings): SdkEvent {
  const { request, route, startedAt, endedAt, trace, status } = served
  return {
    ...common(request, given),
    type: 'transaction',
    transaction: nameOf(route, request),
    transaction_info: { source: 'route' },
    start_timestamp: startedAt / 1000,
    timestamp: endedAt / 1000,
    tags: { runtime: 'server' },
    contexts: {
      trace: {
        ...trace,
        op: 'http.server',
        status: status < 500 ? 'ok' : 'internal_error',
        data: { 'http.request.method': request.method, 'http.response.status_code': status },
      },
    },
    spans: [],
  }
}

function common(
  request: ServerRequest | undefined,
  { release, environment }: Surroundings,
): SdkEvent {
  return {
    event_id: createId(),
    platform: 'javascript',
    ...(release !== undefined && { release }),
    ...(environment !== undefined && { environment }),
    ...(request !== undefined && { request: describeRequest(request) }),
  }
}

function nameOf(route: string, request: ServerRequest | undefined): string {
  return `${request?.method ?? 'GET'} ${route}`
}

function describeRequest({
  method,
  address,
  userAgent,
}: ServerRequest): NonNullable<SdkEvent['request']> {
  return {
    method,
    url: cleanAddress(address),
    ...(userAgent !== undefined && { headers: { 'User-Agent': userAgent } }),
  }
}

function nameFrames(event: SdkEvent): void {
  for (const { stacktrace } of event.exception?.values ?? []) {
    for (const frame of stacktrace?.frames ?? []) {
      const file = frame.filename ?? ''
      frame.in_app = frame.in_app && !foreign.test(file)
      frame.filename = publicPlace(file)
    }
  }
}

/** A file's place in the application; its place on the machine is not sent. */
function publicPlace(file: string): string {
  const path = file.replace(/^file:\/\//, '').replaceAll('\\', '/')
  const built = /\/\.next\/(?:.*?\/)?((?:server|static)\/.*)$/.exec(path)?.[1]
  if (built !== undefined) return `app:///_next/${built}`
  const folder = typeof process.cwd === 'function' ? process.cwd().replaceAll('\\', '/') : ''
  if (folder !== '' && path.startsWith(`${folder}/`)) return `app://${path.slice(folder.length)}`
  return path.startsWith('/') ? `app:///${path.replace(/^.*\/(?=node_modules\/)|^.*\//, '')}` : path
}
