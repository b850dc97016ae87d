import { isFirstCapture } from '@afterimage/sdk-core/captured'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { debugImages } from '@afterimage/sdk-core/debug-ids'
import type { CaptureContext, SdkEvent } from '@afterimage/browser'
import { exceptionEvent } from '@afterimage/sdk-core/exception'
import { createId } from '@afterimage/protocol/ids'
import { normalize } from '@afterimage/sdk-core/normalize'

/** Next's description of the request; of its headers only the browser's name is read. */
export interface ErrorRequest {
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface ErrorContext {
  readonly routerKind: string
  /** The route's file, as `/product/[id]`. */
  readonly routePath: string
  readonly routeType: string
  readonly renderSource?: string | undefined
}

/**
 * Errors that frameworks throw to leave a function: redirects, missing pages, dynamic rendering.
 */
const controlFlow =
  /^(NEXT_REDIRECT;|NEXT_HTTP_ERROR_FALLBACK;|NEXT_NOT_FOUND$|HANGING_PROMISE_REJECTION|NEXT_PRERENDER_INTERRUPTED|DYNAMIC_SERVER_USAGE|BAILOUT_TO_CLIENT_SIDE_RENDERING)/

export function isControlFlow(thrown: unknown): boolean {
  return controlFlow.test(digestOf(thrown) ?? '')
}

/** Frames of these are not the application's own. */
const foreign = /^node:|[/\\]node_modules[/\\]|node_modules_|\[turbopack\]_runtime|^<anonymous>$/

/** The event of something thrown while a request was answered. */
export function serverEvent(
  thrown: unknown,
  hint: {
    readonly request?: ErrorRequest
    readonly context?: ErrorContext
    readonly words?: CaptureContext
  },
  { release, environment }: { readonly release?: string; readonly environment?: string },
): SdkEvent {
  const { request, context, words = {} } = hint
  isFirstCapture(thrown)
  const { exception, extra } = exceptionEvent(thrown, {
    mechanism: { type: 'next.on_request_error', handled: false },
  })
  const event: SdkEvent = { exception: exception ?? { values: [] } }
  const images = debugImages(event)
  nameFrames(event)
  const digest = digestOf(thrown)
  const { tags, contexts, ...others } = normalize(words)
  return {
    ...event,
    event_id: createId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    ...(release !== undefined && { release }),
    ...(environment !== undefined && { environment }),
    ...(extra !== undefined && { extra }),
    ...(context !== undefined && {
      transaction: `${request?.method ?? 'GET'} ${context.routePath}`,
    }),
    ...(request !== undefined && { request: describeRequest(request) }),
    tags: { runtime: 'server', ...(digest !== undefined && { 'next.digest': digest }), ...tags },
    contexts: {
      trace: { trace_id: createId(), span_id: createId(8) },
      ...(context !== undefined && { next: describeContext(context) }),
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

function describeRequest({
  path,
  method,
  headers,
}: ErrorRequest): NonNullable<SdkEvent['request']> {
  const agent = headers['user-agent']
  return {
    method,
    url: cleanAddress(path),
    ...(typeof agent === 'string' && { headers: { 'User-Agent': agent } }),
  }
}

function describeContext(context: ErrorContext): Record<string, unknown> {
  return {
    router_kind: context.routerKind,
    router_path: context.routePath,
    route_type: context.routeType,
    ...(context.renderSource !== undefined && { render_source: context.renderSource }),
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

function digestOf(thrown: unknown): string | undefined {
  const { digest } = (thrown ?? {}) as { readonly digest?: unknown }
  return typeof digest === 'string' ? digest : undefined
}
