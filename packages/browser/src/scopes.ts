/** Scopes by the names of other clients, and processors for the events of a scope. */
import type { Hint, SdkEvent } from '@afterimage/sdk-core/event'
import { guard } from '@afterimage/sdk-core/guard'
import { getIsolationScope, getScope, withScope } from '@afterimage/sdk-core/scope'
import type { Scope } from '@afterimage/sdk-core/scope'

export { getIsolationScope, getScope as getCurrentScope } from '@afterimage/sdk-core/scope'

/** Changes an event of any type, or discards it: by null, or by an error. Not asynchronous. */
export type EventProcessor = (event: SdkEvent, hint: Hint) => SdkEvent | null

/**
 * Adds a processor of all events of a scope, by default of the page and so of every client. It runs
 * after the integrations and before `beforeSend`.
 */
export function addEventProcessor(processor: EventProcessor, scope = getIsolationScope()): void {
  // The page's own hook: when it throws, the event may not be fit to send.
  scope.processors.push({
    processEvent: (event, hint) => guard(() => processor(event, hint), null),
  })
}

export function setExtras(extra: Readonly<Record<string, unknown>>): void {
  getScope().setExtras(extra)
}

/** Runs `callback` inside a scope of its own, and passes it the one of the page: it has no other. */
export function withIsolationScope<R>(callback: (scope: Scope) => R): R {
  return withScope(() => callback(getIsolationScope()))
}
