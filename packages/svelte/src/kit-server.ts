/**
 * The server's half of SvelteKit, in one line of `hooks.server.js`:
 * `export { handle, handleError, init } from '@afterimage/svelte/kit-server'`.
 */
import type { CaptureContext } from '@afterimage/browser'
import { guard } from '@afterimage/sdk-core/guard'
import { createServerClient } from '@afterimage/sdk-core/server/client'
import type { ServerOptions } from '@afterimage/sdk-core/server/client'
import type { ServerRequest } from '@afterimage/sdk-core/server/event'
import { tunnelOfEnvironment } from '@afterimage/sdk-core/server/tunnel-environment'
import { isSettingsRequest } from '@afterimage/sdk-core/server/tunnel'
import type { TunnelOptions } from '@afterimage/sdk-core/server/tunnel'
import { sdk } from '@afterimage/sdk-core/version'
import { isUnexpected, logKitError } from './kit-error.ts'
import type { KitError } from './kit-error.ts'
import { contextOf, createRequestTraces, withTraceTags } from './request-trace.ts'

export type { ServerOptions } from '@afterimage/sdk-core/server/client'
export type { TunnelOptions } from '@afterimage/sdk-core/server/tunnel'
export type { KitError } from './kit-error.ts'

const client = createServerClient({ name: 'afterimage.javascript.svelte', version: sdk.version })
const traces = createRequestTraces()

export interface KitServerOptions extends ServerOptions {
  /** Share of requests that are measured, with the page loads that follow; 1 by default. */
  readonly tracesSampleRate?: number
}

/** The members that are used of a request's event. */
export interface KitEvent {
  readonly request: Request
  readonly url: URL
  readonly route: { readonly id: string | null }
  readonly isSubRequest?: boolean
  getClientAddress(): string
}

interface Handled<Event> {
  readonly event: Event
  resolve(
    event: Event,
    options?: { transformPageChunk?(chunk: { readonly html: string }): string },
  ): Response | Promise<Response>
}

export interface HandleOptions {
  /** The path of the tunnel, with the base of the application; `/monitoring` by default. */
  readonly tunnelPath?: string
  /** Options of the tunnel. Missing ones come from the environment. */
  readonly tunnel?: Partial<TunnelOptions>
}

/** Starts the server side, configured by the environment. */
export function init(): void {
  initServer()
}

/** Starts the server side with the given options. False when there is no valid DSN. */
export function initServer(given: KitServerOptions = {}): boolean {
  traces.setRate(given.tracesSampleRate)
  return client.init(given)
}

/**
 * Makes the hook `handle`: it answers reports of pages, and requests for settings, measures requests, and tells pages their
 * trace in `meta` tags. Others come after it, by `sequence`.
 */
export function afterimageHandle({ tunnelPath = '/monitoring', tunnel }: HandleOptions = {}) {
  const answer = tunnelOfEnvironment(tunnel)
  return async <Event extends KitEvent>({ event, resolve }: Handled<Event>): Promise<Response> => {
    const { request, url } = event
    // A page that is made by the build has no visitor, and must not have one trace for all.
    const address = guard(() => event.getClientAddress())
    const isForTunnel = request.method === 'POST' || isSettingsRequest(request)
    if (isForTunnel && url.pathname === tunnelPath) return answer(request, address)
    if (client.dsn === null || address === undefined || event.isSubRequest) return resolve(event)
    const { dsn, options } = client
    const trace = traces.begin(request)
    const startedAt = Date.now()
    const response = await resolve(event, {
      transformPageChunk: ({ html }) => withTraceTags(html, trace, { ...options, dsn }),
    })
    if (trace.sampled && event.route.id !== null) {
      void client.measured({
        request: describe(request, url),
        route: event.route.id,
        startedAt,
        endedAt: Date.now(),
        trace: contextOf(trace),
        status: response.status,
      })
    }
    return response
  }
}

/** The hook without options. */
export const handle = afterimageHandle()

/** Reports the errors of requests, and logs them. */
export const handleError: (input: KitError & { readonly event: KitEvent }) => void =
  handleErrorWithAfterimage()

/** Makes the hook `handleError` of an application that has its own, whose answer it gives. */
export function handleErrorWithAfterimage<
  Input extends KitError & { readonly event: KitEvent },
  Answer = void,
>(own?: (input: Input) => Answer): (input: Input) => Answer {
  return (input) => {
    if (isUnexpected(input)) void captureOfRequest(input.error, input.event)
    return own === undefined ? (logKitError(input) as Answer) : own(input)
  }
}

/**
 * Reports something thrown on the server. Resolves to the event's id when it was sent, '' when it
 * was discarded; never rejects.
 */
export function captureServerException(
  thrown: unknown,
  { event, words }: { readonly event?: KitEvent; readonly words?: CaptureContext } = {},
): Promise<string> {
  return event === undefined
    ? client.capture(thrown, { mechanism: 'generic', words })
    : captureOfRequest(thrown, event, words)
}

function captureOfRequest(
  thrown: unknown,
  event: KitEvent,
  words?: CaptureContext,
): Promise<string> {
  // In remote functions SvelteKit forbids reading some of these members.
  const route = guard(() => event.route.id) ?? undefined
  const trace = traces.of(event.request)
  return client.capture(thrown, {
    mechanism: 'sveltekit.handle_error',
    request: guard(() => describe(event.request, event.url)),
    route,
    contexts: {
      ...(trace !== undefined && { trace: contextOf(trace) }),
      ...(route !== undefined && { sveltekit: { route_id: route } }),
    },
    words,
  })
}

function describe({ method, headers }: Request, { pathname, search }: URL): ServerRequest {
  return { method, address: pathname + search, userAgent: headers.get('user-agent') ?? undefined }
}
