/**
 * The server side, in one line of `instrumentation.ts`:
 * `export { register, onRequestError } from '@afterimage/next/server'`.
 */
import type { CaptureContext } from '@afterimage/browser'
import { createServerClient } from '@afterimage/sdk-core/server/client'
import type { ServerOptions } from '@afterimage/sdk-core/server/client'
import { sdk } from '@afterimage/sdk-core/version'
import { buildConstants } from './build-constants.ts'
import { describeError, isControlFlow } from './request-error.ts'
import type { ErrorContext, ErrorRequest } from './request-error.ts'

export type { ServerOptions } from '@afterimage/sdk-core/server/client'

const client = createServerClient({ name: 'afterimage.javascript.next', version: sdk.version })

/** Starts the server side, configured by the environment and the build. */
export function register(): void {
  initServer()
}

/** Starts the server side with the given options. False when there is no valid DSN. */
export function initServer(given: ServerOptions = {}): boolean {
  return client.init(given, buildConstants())
}

/** Reports what a request made the server throw: Next calls it, as an export of `instrumentation`. */
export async function onRequestError(
  error: unknown,
  request: ErrorRequest,
  context: ErrorContext,
): Promise<void> {
  await captureServerException(error, { request, context })
}

/** Facts about an error of the server besides the thrown value. */
export interface ServerHint {
  readonly request?: ErrorRequest
  readonly context?: ErrorContext
  readonly words?: CaptureContext
}

/**
 * Reports something thrown on the server. Answers the event's id when it was sent, '' when it was
 * discarded; never throws.
 */
export async function captureServerException(
  thrown: unknown,
  { request, context, words }: ServerHint = {},
): Promise<string> {
  if (isControlFlow(thrown)) return ''
  return client.capture(thrown, { ...describeError(thrown, request, context), words })
}
