import { dsnExpected, parseDsn } from '@afterimage/protocol/dsn'
import type { Dsn } from '@afterimage/protocol/dsn'
import { setSecretPaths } from '../clean-address.ts'
import type { SdkEvent } from '../event.ts'
import { serverEvent, serverTransaction } from './event.ts'
import type { ServedRequest, ServerHint } from './event.ts'
import { createServerTransport } from './transport.ts'
import type { ServerSdk, ServerTransport } from './transport.ts'

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

/** Constants of a build, which the options and the environment precede. */
export interface ServerBuild {
  readonly dsn?: string | undefined
  readonly release?: string | undefined
  readonly environment?: string | undefined
}

/**
 * The client of an application's server: lean, without globals to patch and without a queue. It
 * sends straight to the Afterimage server.
 */
export interface ServerClient {
  /** Null before `init`, and where it found no valid DSN. */
  readonly dsn: Dsn | null
  /** The options that `init` was given, with those of the build. */
  readonly options: ServerOptions
  /** Starts it. False when there is no valid DSN. */
  init(given?: ServerOptions, built?: ServerBuild): boolean
  /** Resolves to the event's id when it was sent, '' when it was discarded; never rejects. */
  capture(thrown: unknown, hint: ServerHint): Promise<string>
  /** Sends the transaction of a request that was answered; never rejects. */
  measured(served: ServedRequest): Promise<void>
}

/** Creates a client that captures nothing before `init`. */
export function createServerClient(sdk: ServerSdk): ServerClient {
  let dsn: Dsn | null = null
  let transport: ServerTransport | null = null
  let options: ServerOptions = {}
  return {
    get dsn() {
      return dsn
    },
    get options() {
      return options
    },
    init(given = {}, built = {}) {
      const { AFTERIMAGE_DSN, AFTERIMAGE_SERVER } = process.env
      const { dsn: text = AFTERIMAGE_DSN ?? built.dsn ?? '', server = AFTERIMAGE_SERVER } = given
      dsn = parseDsn(text.trim())
      if (dsn === null) {
        const why = text === '' ? 'AFTERIMAGE_DSN is not set' : dsnExpected
        console.warn(`Afterimage: ${why}; server errors are not reported.`)
        transport = null
        return false
      }
      const { release = built.release, environment = built.environment ?? 'production' } = given
      options = { ...given, ...(release !== undefined && { release }), environment }
      setSecretPaths(given.secretPaths)
      transport = createServerTransport(sdk, dsn, server)
      return true
    },
    async capture(thrown, hint) {
      if (transport === null) return ''
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
    },
    async measured(served) {
      await transport?.send(serverTransaction(served, options))
    },
  }
}
