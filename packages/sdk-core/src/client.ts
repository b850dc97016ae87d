import { setSecretPaths } from './clean-address.ts'
import type { SamplingContext } from './sampling-context.ts'
import { warn } from './debug.ts'
import { deliver } from './deliver.ts'
import { parseDsn } from '@afterimage/protocol/dsn'
import type { Dsn } from '@afterimage/protocol/dsn'
import { envelopeAddress } from './envelope-address.ts'
import type { Counts, OutgoingItem } from './envelope.ts'
import type { Breadcrumb, Hint, SdkEvent } from './event.ts'
import { guard, guardEach } from './guard.ts'
import { createId } from '@afterimage/protocol/ids'
import type { Integration } from './integration.ts'
import { breadcrumbsMax, messageCharactersMax } from './limits.ts'
import { cut, normalize, setDepth } from './normalize.ts'
import type { LabelsOf } from './labels.ts'
import { warnOfUnknown } from './unknown-options.ts'
import type { Options } from './options.ts'
import { getScope } from './scope.ts'
import type { Scope } from './scope.ts'
import { createTransport } from './transport.ts'
import type { Answer, Transport } from './transport.ts'
import { sdk } from './version.ts'

/** The trace that events belong to: their `contexts.trace`, and the envelope header's `trace`. */
export interface CurrentTrace {
  readonly context: { readonly trace_id: string; readonly span_id: string } & Readonly<
    Record<string, unknown>
  >
  readonly sampling: SamplingContext
}

/** The client that integrations, tracing, the recorder and frameworks build on. */
export interface Client {
  /** As given, with the default environment filled in. */
  readonly options: Options
  readonly dsn: Dsn
  readonly integrations: readonly Integration[]
  readonly transport: Transport
  /** Counts of discarded items, by `reason:category`. Client reports empty it. */
  readonly discards: Map<string, number>
  /** Returns the labels of an element that may be sent: none, unless an integration sets this. */
  labels?: LabelsOf
  /** Returns the current trace. Tracing replaces it with its own. */
  trace: () => CurrentTrace
  /** Captures an event of any type and returns its id. It is sent unless something discards it. */
  capture(event: SdkEvent, hint?: Hint, scope?: Scope): string
  addBreadcrumb(breadcrumb: Breadcrumb, hint?: Readonly<Record<string, unknown>>): void
  /** Sends items of one envelope as they are; the header's common members are added. */
  send(
    items: readonly OutgoingItem[],
    header?: object,
    isRetriedByCaller?: boolean,
  ): Promise<Answer>
  /** Counts discarded items, quantities by data category. */
  discard(reason: string, counts: Counts): void
  /** Sends everything held back and waits; false when `timeoutMs` was too short. */
  flush(timeoutMs?: number): Promise<boolean>
  /** Undoes the changes of `init` to the page, then flushes. Captures nothing afterwards. */
  close(timeoutMs?: number): Promise<boolean>
}

/**
 * Creates the client, and sets up the integrations in order. Null when it is not enabled, or the
 * DSN is not valid.
 */
export function createClient(given: Options, integrations: readonly Integration[]): Client | null {
  const options = { environment: 'production', ...given }
  warnOfUnknown(given)
  if (options.enabled === false) return null
  const dsn = parseDsn(options.dsn)
  if (!dsn) {
    warn('the DSN is not valid, so nothing is sent.')
    return null
  }
  setSecretPaths(options.secretPaths)
  setDepth(options.normalizeDepth)
  guard(() => options.initialScope && getScope().update(options.initialScope))
  const undo: (() => void)[] = []
  const trace = ownTrace(dsn, options)
  let isOpen = true

  const discards = new Map<string, number>()
  function discard(reason: string, counts: Counts): void {
    for (const [category, quantity] of Object.entries(counts)) {
      const key = `${reason}:${category}`
      if (quantity) discards.set(key, (discards.get(key) ?? 0) + quantity)
    }
  }

  const client: Client = {
    options,
    dsn,
    integrations,
    discards,
    discard,
    transport: createTransport(envelopeAddress(dsn, options), discard),
    trace: () => trace,
    capture(event, hint = {}, scope = getScope()) {
      event.event_id ??= createId()
      if (isOpen) guard(() => deliver(client, event, hint, scope))
      return event.event_id
    },
    addBreadcrumb(breadcrumb, hint = {}) {
      if (isOpen) guard(() => keepBreadcrumb(client, breadcrumb, hint))
    },
    send: (items, header, isRetriedByCaller) =>
      client.transport
        .send(
          {
            ...header,
            sent_at: new Date(),
            sdk,
            // Only the key: very old DSNs hold a secret too.
            dsn: options.dsn.replace(/:[^:@/]*@/, '@'),
          },
          items,
          isRetriedByCaller,
        )
        .catch(() => ({ status: 0 })),
    flush(timeoutMs = 2000) {
      guardEach(integrations, (it) => it.flush?.())
      return client.transport.idle(timeoutMs)
    },
    close(timeoutMs) {
      const flushed = client.flush(timeoutMs)
      isOpen = false
      guardEach(undo.reverse(), (step) => step())
      return flushed
    },
  }
  guardEach(integrations, (it) => undo.push(...(it.setup?.(client) ?? [])))
  return client
}

function keepBreadcrumb(
  { options, integrations }: Client,
  breadcrumb: Breadcrumb,
  hint: Readonly<Record<string, unknown>>,
): void {
  const { beforeBreadcrumb, maxBreadcrumbs = breadcrumbsMax } = options
  const given = { timestamp: Date.now() / 1000, ...breadcrumb }
  const kept = beforeBreadcrumb ? beforeBreadcrumb(given, hint) : given
  if (!kept) return
  kept.message &&= cut(kept.message, messageCharactersMax)
  kept.data &&= normalize(kept.data)
  const { breadcrumbs } = getScope()
  breadcrumbs.push(kept)
  // Removes none while the difference is negative.
  breadcrumbs.splice(0, breadcrumbs.length - Math.min(maxBreadcrumbs, breadcrumbsMax))
  guardEach(integrations, (it) => it.breadcrumb?.(kept, hint))
}

/** Returns the trace of a page without tracing, which leaves the sampling decision to others. */
function ownTrace({ publicKey: public_key }: Dsn, { environment, release }: Options): CurrentTrace {
  const trace_id = createId()
  return {
    context: { trace_id, span_id: createId(8) },
    sampling: { environment, release, public_key, trace_id } as SamplingContext,
  }
}
