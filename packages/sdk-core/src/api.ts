import type { EventLevel, EventUser } from '@afterimage/protocol/event'
import { isFirstCapture } from './captured.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import type { Breadcrumb, CaptureContext, Hint, SdkEvent } from './event.ts'
import { exceptionEvent } from './exception.ts'
import { guard } from './guard.ts'
import type { Integration } from './integration.ts'
import { textOf } from './normalize.ts'
import type { Options } from './options.ts'
import { getScope } from './scope.ts'
import type { Scope } from './scope.ts'

let client: Client | null = null
let lastId: string | undefined

/** The client that `init` started; null before, and after `close`. */
export function getClient(): Client | null {
  return client
}

/** Starts a client in place of the previous one. Returns null when there is nowhere to send to. */
export function start(options: Options, defaults: readonly Integration[]): Client | null {
  return guard(() => {
    void client?.close(0)
    const { integrations = [] } = options
    client = createClient(
      options,
      typeof integrations === 'function' ? integrations(defaults) : [...defaults, ...integrations],
    )
    return client
  }, null)
}

/**
 * Reports a thrown value, an Error or anything else. Returns the event's id; '' when nothing was
 * captured.
 */
export function captureException(thrown: unknown, context?: CaptureContext): string {
  // The stack begins at the caller. WebKit replaces that of an Error when it is read.
  const here: { stack?: string } = {}
  Error.captureStackTrace?.(here, captureException)
  const syntheticException = here.stack ? here : { stack: new Error().stack, framesToPop: 1 }
  return captureThrown(thrown, { syntheticException, context })
}

/**
 * Does the same with a hint, for handlers and error boundaries. An object is captured only once.
 */
export function captureThrown(thrown: unknown, hint?: Hint): string {
  return guard(() => {
    if (!isFirstCapture(thrown)) return lastId ?? ''
    return captureEvent(exceptionEvent(thrown, hint), { originalException: thrown, ...hint })
  }, '')
}

export function captureMessage(message: string, context?: EventLevel | CaptureContext): string {
  return captureEvent(
    { message: textOf(message), level: getScope().data.level ?? 'info' },
    { context: typeof context === 'string' ? { level: context } : context },
  )
}

/** Reports an event as it is, with the members of the scope and the client added. */
export function captureEvent(event: SdkEvent, hint?: Hint, scope?: Scope): string {
  return guard(() => {
    if (!client) return ''
    const id = client.capture(event, hint, scope)
    if (!event.type) lastId = id
    return id
  }, '')
}

/** Returns the id of the newest error or message captured, sent or not. */
export function lastEventId(): string | undefined {
  return lastId
}

export function addBreadcrumb(
  breadcrumb: Breadcrumb,
  hint?: Readonly<Record<string, unknown>>,
): void {
  client?.addBreadcrumb(breadcrumb, hint)
}

/** Sets the user of the page; null for nobody. */
export function setUser(user: EventUser | null): void {
  getScope().setUser(user)
}

export function setTag(key: string, value: string | number | boolean | null | undefined): void {
  getScope().setTag(key, value)
}

export function setTags(
  tags: Readonly<Record<string, string | number | boolean | null | undefined>>,
): void {
  getScope().setTags(tags)
}

export function setContext(name: string, context: Readonly<Record<string, unknown>> | null): void {
  getScope().setContext(name, context)
}

export function setExtra(key: string, value: unknown): void {
  getScope().setExtra(key, value)
}

/** Resolves when everything captured is sent; false when `timeoutMs` (2000) was too short. */
export async function flush(timeoutMs?: number): Promise<boolean> {
  return client?.flush(timeoutMs) ?? true
}

/** Removes the client from the page. Captured events are still sent. */
export async function close(timeoutMs?: number): Promise<boolean> {
  const closing = client
  client = null
  return closing?.close(timeoutMs) ?? true
}
