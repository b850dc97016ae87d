/**
 * The server side, in one line of `instrumentation.ts`:
 * `export { register, onRequestError } from '@afterimage/next/server'`. A lean client of its own: it
 * has no globals to patch and no queue, and sends straight to the Afterimage server.
 */
import { dsnExpected, parseDsn } from '@afterimage/protocol/dsn'
import type { CaptureContext, SdkEvent } from '@afterimage/browser'
import { setSecretPaths } from '@afterimage/sdk-core/clean-address'
import { buildConstants } from './build-constants.ts'
import { isControlFlow, serverEvent } from './server-event.ts'
import type { ErrorContext, ErrorRequest } from './server-event.ts'
import { createServerTransport } from './server-transport.ts'
import type { ServerTransport } from './server-transport.ts'

export interface ServerOptions {
  /** `AFTERIMAGE_DSN`, else that of the build, unless given. Without one nothing is sent. */
  readonly dsn?: string
  /** `AFTERIMAGE_SERVER`, else the host of the DSN, unless given. */
  readonly server?: string
  readonly release?: string
  /** `production` unless given, also by the build. */
  readonly environment?: string
  /** Parts of addresses that are secrets: each match becomes `*`. Give them the flag `g`. */
  readonly secretPaths?: readonly RegExp[]
  /** Sees every event last; null discards it. */
  readonly beforeSend?: (event: SdkEvent) => SdkEvent | null
}

let transport: ServerTransport | null = null
let options: ServerOptions = {}

/** Starts the server side, configured by the environment and the build. */
export function register(): void {
  initServer()
}

/** Starts the server side with the given options. False when there is no valid DSN. */
export function initServer(given: ServerOptions = {}): boolean {
  const built = buildConstants()
  const { AFTERIMAGE_DSN, AFTERIMAGE_SERVER } = process.env
  const { dsn: text = AFTERIMAGE_DSN ?? built.dsn ?? '', server = AFTERIMAGE_SERVER } = given
  const dsn = parseDsn(text.trim())
  if (dsn === null) {
    const why = text === '' ? 'AFTERIMAGE_DSN is not set' : dsnExpected
    console.warn(`Afterimage: ${why}; server errors are not reported.`)
    transport = null
    return false
  }
  const { release = built.release, environment = built.environment ?? 'production' } = given
  options = { ...given, ...(release !== undefined && { release }), environment }
  setSecretPaths(given.secretPaths)
  transport = createServerTransport(dsn, server)
  return true
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
  hint: ServerHint = {},
): Promise<string> {
  if (transport === null || isControlFlow(thrown)) return ''
  try {
    const event = serverEvent(thrown, hint, options)
    const final = options.beforeSend === undefined ? event : options.beforeSend(event)
    if (final === null) {
      transport.discard('before_send')
      return ''
    }
    return (await transport.send(final)) ? (final.event_id ?? '') : ''
  } catch {
    transport?.discard('callback_error')
    return ''
  }
}
