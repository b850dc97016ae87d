import type { ServerHint } from '@afterimage/sdk-core/server/event'

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

/** Describes something thrown while a request was answered. */
export function describeError(
  thrown: unknown,
  request?: ErrorRequest,
  context?: ErrorContext,
): ServerHint {
  const digest = digestOf(thrown)
  const agent = request?.headers['user-agent']
  return {
    mechanism: 'next.on_request_error',
    request: request && {
      method: request.method,
      address: request.path,
      userAgent: typeof agent === 'string' ? agent : undefined,
    },
    route: context?.routePath,
    tags: digest === undefined ? {} : { 'next.digest': digest },
    contexts: context === undefined ? {} : { next: describeContext(context) },
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

function digestOf(thrown: unknown): string | undefined {
  const { digest } = (thrown ?? {}) as { readonly digest?: unknown }
  return typeof digest === 'string' ? digest : undefined
}
