import type { Dsn } from '@afterimage/protocol/dsn'
import { createEventId, createSpanId, createTraceId } from '@afterimage/protocol/ids'
import type { SamplingContext } from '@afterimage/protocol/trace-header'
import { warn } from './debug.ts'
import { debugImages } from './debug-ids.ts'
import { envelopeAddress, organizationOf, parseDsn, publicDsn } from './dsn.ts'
import { categoryOf } from './envelope.ts'
import type { OutgoingItem } from './envelope.ts'
import type { Breadcrumb, Hint, SdkEvent } from './event.ts'
import { guard } from './guard.ts'
import type { Integration } from './integration.ts'
import { breadcrumbsMax, eventBytesMax, messageCharactersMax } from './limits.ts'
import { cut, normalize } from './normalize.ts'
import type { Options } from './options.ts'
import { applyScope, getScope } from './scope.ts'
import type { Scope } from './scope.ts'
import { createTransport } from './transport.ts'
import type { Answer, Transport } from './transport.ts'
import { sdkName, sdkVersion } from './version.ts'

/** What trace events belong to: their `contexts.trace`, and the envelope header's `trace`. */
export interface CurrentTrace {
  readonly context: { readonly trace_id: string; readonly span_id: string } & Readonly<
    Record<string, unknown>
  >
  readonly sampling: SamplingContext
}

/** What integrations, tracing, the recorder and frameworks build on. */
export interface Client {
  readonly options: Options
  readonly dsn: Dsn
  /** Where envelopes are posted. */
  readonly address: string
  readonly transport: Transport
  /** Tracing puts its own in place. */
  trace: () => CurrentTrace
  /** Captures an event of any type; answers its id. It travels unless something discards it. */
  capture(event: SdkEvent, hint?: Hint, scope?: Scope): string
  addBreadcrumb(breadcrumb: Breadcrumb, hint?: Readonly<Record<string, unknown>>): void
  /** Sends items of an envelope as they are; the header's common members are added. */
  send(
    items: readonly OutgoingItem[],
    header?: object,
    isRetriedByCaller?: boolean,
  ): Promise<Answer>
  /** Counts what was let go of. */
  discard(reason: string, category: string, quantity?: number): void
  /** Counts by `reason:category` since the start or the last `takeDiscards`. */
  takeDiscards(): ReadonlyMap<string, number>
  integration(name: string): Integration | undefined
  /** Hands over everything that is held back and waits; false when `timeoutMs` did not suffice. */
  flush(timeoutMs?: number): Promise<boolean>
  /** Undoes what `init` did to the page, then flushes. Nothing is captured from then on. */
  close(timeoutMs?: number): Promise<boolean>
}

/** Null when the DSN is none. Integrations are set up in their order before it returns. */
export function createClient(
  options: Options,
  integrations: readonly Integration[],
): Client | null {
  const dsn = parseDsn(options.dsn)
  if (dsn === null) {
    warn(`the DSN ${options.dsn} is not one; nothing will be sent.`)
    return null
  }
  const address = envelopeAddress(dsn, options)
  const discards = new Map<string, number>()
  const undo: (() => void)[] = []
  const own = { trace_id: createTraceId(), span_id: createSpanId() }
  const transport = createTransport(address, discard)
  let isOpen = true

  function discard(reason: string, category: string, quantity = 1): void {
    const key = `${reason}:${category}`
    discards.set(key, (discards.get(key) ?? 0) + quantity)
  }

  const client: Client = {
    options,
    dsn,
    address,
    transport,
    trace: () => ({ context: own, sampling: samplingContext(dsn, options, own.trace_id) }),
    capture(event, hint = {}, scope = getScope()) {
      event.event_id ??= createEventId()
      if (isOpen) guard(() => deliver(client, integrations, event, hint, scope))
      return event.event_id
    },
    addBreadcrumb(breadcrumb, hint = {}) {
      if (isOpen) guard(() => keepBreadcrumb(options, integrations, breadcrumb, hint))
    },
    send(items, header, isRetriedByCaller) {
      const common = {
        ...header,
        sent_at: new Date().toISOString(),
        sdk: { name: sdkName, version: sdkVersion },
        dsn: publicDsn(dsn),
      }
      return transport.send(common, items, isRetriedByCaller)
    },
    discard,
    takeDiscards() {
      const taken = new Map(discards)
      discards.clear()
      return taken
    },
    integration: (name) => integrations.find((it) => it.name === name),
    flush(timeoutMs = 2000) {
      for (const integration of integrations) guard(() => integration.flush?.())
      return transport.idle(timeoutMs)
    },
    close(timeoutMs) {
      const flushed = client.flush(timeoutMs)
      isOpen = false
      for (const step of undo.splice(0).reverse()) guard(step)
      return flushed
    },
  }
  for (const integration of integrations) {
    const step = guard(() => integration.setup?.(client))
    if (step) undo.push(step)
  }
  return client
}

/** Every stage that may discard an event, in order. Goes on without waiting when it can. */
function deliver(
  client: Client,
  integrations: readonly Integration[],
  event: SdkEvent,
  hint: Hint,
  scope: Scope,
): void {
  const { options } = client
  const isError = event.type === undefined
  const category = categoryOf(event.type ?? 'event')
  const lose = (reason: string): void => {
    client.discard(reason, category)
    if (event.spans) client.discard(reason, 'span', event.spans.length + 1)
  }
  describe(client, event, hint, scope)
  let current: SdkEvent | null = event
  for (const { processEvent } of integrations) {
    const before: SdkEvent = current
    // One that throws is skipped: an event with less is worth more than none.
    if (processEvent) current = guard(() => processEvent(before, hint, client), before)
    if (current === null) return lose('event_processor')
  }
  const finish = (final: SdkEvent | null): void => {
    if (final === null || typeof final !== 'object') return lose('before_send')
    for (const { willSend } of integrations) guard(() => willSend?.(final, hint, client))
    if (isError && Math.random() >= (options.sampleRate ?? 1)) return lose('sample_rate')
    post(client, integrations, final, hint)
  }
  if (!isError || options.beforeSend === undefined) return finish(current)
  // What the page's own function throws is its own mistake, and the event may not be fit to send.
  const failed = (): void => lose('callback_error')
  try {
    const answer = options.beforeSend(current, hint)
    if (isThenable(answer)) {
      answer.then((final) => guard(() => finish(final)), failed)
    } else finish(answer)
  } catch {
    failed()
  }
}

function post(
  client: Client,
  integrations: readonly Integration[],
  event: SdkEvent,
  hint: Hint,
): void {
  const items: OutgoingItem[] = [
    {
      header: { type: event.type ?? 'event' },
      payload: serialize(event),
      ...(event.spans && {
        counts: { [categoryOf(event.type ?? 'event')]: 1, span: event.spans.length + 1 },
      }),
    },
  ]
  for (const { filename, data, contentType } of hint.attachments ?? []) {
    items.push({
      header: { type: 'attachment', filename, ...(contentType && { content_type: contentType }) },
      payload: data,
    })
  }
  const header = { event_id: event.event_id, trace: client.trace().sampling }
  const told = (answer: Answer): void =>
    integrations.forEach(({ afterSend }) => guard(() => afterSend?.(event, answer, client)))
  void client.send(items, header).then(told)
}

/** Adds what every event carries. */
function describe(client: Client, event: SdkEvent, hint: Hint, scope: Scope): void {
  const { release, environment = 'production', dist } = client.options
  applyScope(event, scope, hint.context)
  event.timestamp ??= Date.now() / 1000
  event.platform = 'javascript'
  event.environment ??= environment
  if (release) event.release ??= release
  if (dist) event.dist ??= dist
  if (event.type === undefined) event.level ??= 'error'
  if (event.message) event.message = cut(event.message, messageCharactersMax)
  event.sdk = { name: sdkName, version: sdkVersion }
  event.contexts = { trace: client.trace().context, ...event.contexts }
  const images = debugImages(event)
  if (images.length > 0) event.debug_meta = { images }
}

/** An event that is too large goes without what it has most of. */
function serialize(event: SdkEvent): string {
  const text = JSON.stringify(event)
  return text.length <= eventBytesMax
    ? text
    : JSON.stringify({ ...event, breadcrumbs: undefined, extra: undefined })
}

function keepBreadcrumb(
  { beforeBreadcrumb, maxBreadcrumbs = breadcrumbsMax }: Options,
  integrations: readonly Integration[],
  breadcrumb: Breadcrumb,
  hint: Readonly<Record<string, unknown>>,
): void {
  const max = Math.min(maxBreadcrumbs, breadcrumbsMax)
  const given = { timestamp: Date.now() / 1000, ...breadcrumb }
  const kept = beforeBreadcrumb ? beforeBreadcrumb(given, hint) : given
  if (kept === null) return
  if (kept.message) kept.message = cut(kept.message, messageCharactersMax)
  if (kept.data) kept.data = normalize(kept.data) as NonNullable<Breadcrumb['data']>
  const { breadcrumbs } = getScope()
  breadcrumbs.push(kept)
  if (breadcrumbs.length > max) breadcrumbs.splice(0, breadcrumbs.length - max)
  for (const { breadcrumb: listen } of integrations) guard(() => listen?.(kept, hint))
}

/** The sampling context of a page that traces nothing: the decision is left to others. */
function samplingContext(dsn: Dsn, options: Options, traceId: string): SamplingContext {
  const { environment = 'production', release } = options
  return {
    environment,
    ...(release && { release }),
    public_key: dsn.publicKey,
    trace_id: traceId,
    org_id: organizationOf(dsn),
  }
}

function isThenable(value: unknown): value is PromiseLike<SdkEvent | null> {
  return typeof (value as { then?: unknown } | null)?.then === 'function'
}
