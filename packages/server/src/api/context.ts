import type { ApiUser } from '@afterimage/protocol/api/organization'
import type { SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import type { Context, Hono } from 'hono'
import type { Config } from '../config.ts'
import type { Blobs } from '../storage/blobs/port.ts'
import type { EventStore } from '../storage/events/port.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import type { QueueStats } from '../storage/queue/port.ts'
import type { TokenRight } from '../auth/rights.ts'
import type { Auth } from '../auth/sign-in.ts'

/** The stores and settings that the API works with. */
export interface ApiContext {
  readonly metadata: Metadata
  readonly events: EventStore
  readonly blobs: Blobs
  readonly auth: Auth
  /** Signs what the server hands out and must know again. */
  readonly secretKey: string
  readonly config: Pick<Config, 'baseUrl' | 'tunnelPath'> & { readonly paths?: Config['paths'] }
  /** The settings with which the console's own pages report; null or absent when they do not. */
  readonly selfMonitoring?: SelfMonitoring | null
  /** Measures the backlog of the queue; absent where the queue is out of reach. */
  readonly queueStats?: () => Promise<QueueStats>
  /** The log of failures; stderr by default. */
  readonly log?: { error(details: { readonly err: unknown }, message: string): void }
  /** ms; a test may give its own. */
  readonly now?: () => number
}

/** The sender of the request. */
export interface Principal {
  /** Null for a token that belongs to no person. */
  readonly user: ApiUser | null
  readonly via: 'cookie' | 'token'
  readonly rights: readonly TokenRight[]
}

export type ApiEnv = {
  Variables: {
    principal: Principal
    /** Path of the base URL, without a closing slash: the beginning of links. */
    basePath: string
  }
}

/** The routes of one subject are added by one function. */
export type Routes = (app: Hono<ApiEnv>, api: ApiContext) => void

export type ApiRequest = Context<ApiEnv>

export function nowOf(api: ApiContext): number {
  return api.now?.() ?? Date.now()
}
