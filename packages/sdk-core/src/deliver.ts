import type { Client } from './client.ts'
import { debugImages } from './debug-ids.ts'
import { categoryOf } from './envelope.ts'
import type { Hint, SdkEvent } from './event.ts'
import { guard, guardEach } from './guard.ts'
import { eventBytesMax, messageCharactersMax } from './limits.ts'
import { cut } from './normalize.ts'
import { describePage } from './page-request.ts'
import { withScopeApplied } from './scope.ts'
import type { Scope } from './scope.ts'
import { sdk } from './version.ts'

/**
 * Takes an event through its stages: described, processed, shown to `beforeSend`, sampled, sent.
 * Each may discard it, which is counted. Only an asynchronous `beforeSend` is awaited, so that the
 * error of an unloading page is in flight at once.
 */
export function deliver(client: Client, event: SdkEvent, hint: Hint, scope: Scope): void {
  const { options, integrations } = client
  const isError = !event.type
  const { type = 'event' } = event
  const category = categoryOf(type)
  const { counts = { [category]: 1 } } = hint
  const lose = (reason: string): void => client.discard(reason, counts)

  let current = describe(client, event, hint, scope)
  for (const integration of [...integrations, ...scope.processors]) {
    // A processor that throws is skipped: an incomplete event is better than none.
    const after = guard(() => integration.processEvent?.(current, hint, client))
    if (after === null) return lose(integration.discardReason ?? 'event_processor')
    current = after ?? current
  }

  function finish(final: SdkEvent | null): void {
    if (!final) return lose('before_send')
    guardEach(integrations, (it) => it.willSend?.(final, hint, client))
    if (isError && Math.random() >= (options.sampleRate ?? 1)) return lose('sample_rate')
    // An event that is too large is reduced by its largest members.
    let payload = JSON.stringify(final)
    if (payload.length > eventBytesMax) {
      payload = JSON.stringify({ ...final, breadcrumbs: undefined, extra: undefined })
    }
    const item = { header: { type }, payload, counts }
    void client
      .send([item, ...(hint.attachments ?? [])], {
        event_id: final.event_id,
        trace: client.trace().sampling,
      })
      .then((answer) => guardEach(integrations, (it) => it.afterSend?.(final, answer, client)))
  }

  // A hook that throws discards the event, which may not be fit to send.
  const failed = (): void => lose('callback_error')
  const { beforeSend, beforeSendTransaction } = options
  const before = isError ? beforeSend : category === 'transaction' && beforeSendTransaction
  try {
    const final = before ? before(current, hint) : current
    if (final && 'then' in final) void Promise.resolve(final).then(finish).catch(failed)
    else finish(final)
  } catch {
    failed()
  }
}

/** Adds the members that every event carries; those that it has stay. */
function describe(client: Client, event: SdkEvent, hint: Hint, scope: Scope): SdkEvent {
  const { release, environment, dist, keepQuery } = client.options
  const scoped = withScopeApplied(event, scope, hint.context)
  const images = debugImages(event)
  return {
    timestamp: Date.now() / 1000,
    level: event.type ? undefined : 'error',
    environment,
    release,
    dist,
    request: guard(() => describePage(keepQuery)),
    ...scoped,
    platform: 'javascript',
    message: scoped.message && cut(scoped.message, messageCharactersMax),
    sdk,
    contexts: { trace: client.trace().context, ...scoped.contexts },
    debug_meta: images[0] && { images },
  } as SdkEvent
}
