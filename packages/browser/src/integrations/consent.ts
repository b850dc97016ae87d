import type { Client } from '@afterimage/sdk-core/client'
import { guard, guardEach } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { endClient, eraseReports, eraseStorage, replayKeys, settingsKeys } from './end-client.ts'

/** A client, or an integration, that waits for consent. */
interface Held {
  begin(): void
  /** Ends what `begin` began, without a further report. */
  end(): void
  /** Deletes what it keeps in the browser. */
  erase(): void
}

const held = new Set<Held>()
let isGiven = false

/** Starts a client by `start` once there is consent; until then nothing of it exists. */
export function requireConsent(start: () => Client | null): void
/** Returns an integration that is set up once there is consent; the rest of the client runs. */
export function requireConsent(integration: Integration): Integration
export function requireConsent(what: (() => Client | null) | Integration): Integration | void {
  if (typeof what === 'function') hold(heldClient(what))
  else return heldIntegration(what)
}

/** The person agrees: everything held begins, on this page. Nothing remembers it. */
export function consent(): void {
  if (isGiven) return
  isGiven = true
  // Those that a client adds as it begins have begun already.
  guardEach([...held], (it) => it.begin())
}

/**
 * The person does not agree, or no longer does. Everything held ends without a further report, and
 * what it kept in the browser is deleted, also what earlier pages kept.
 */
export function withdrawConsent(): void {
  const wasGiven = isGiven
  isGiven = false
  guardEach([...held], (it) => {
    if (wasGiven) it.end()
    // Clients end in a microtask, and may write until then.
    queueMicrotask(() => it.erase())
  })
}

function hold(it: Held): void {
  held.add(it)
  if (isGiven) guard(() => it.begin())
}

function heldClient(start: () => Client | null): Held {
  let client: Client | null = null
  return {
    begin: () => void (client = start()),
    end: () => void (client && endClient(client)),
    erase() {
      eraseReports()
      eraseStorage(settingsKeys)
    },
  }
}

function heldIntegration(integration: Integration): Integration {
  let undo: readonly (() => void)[] = []
  const end = (): void => {
    guardEach(undo, (step) => step())
    undo = []
  }
  const placeholder: Integration = {
    name: integration.name,
    restrict: (settings) => integration.restrict?.(settings),
    setup(client) {
      const it: Held = {
        begin() {
          replace(client, placeholder, integration)
          undo = integration.setup?.(client) ?? []
        },
        end() {
          replace(client, integration, placeholder)
          guard(() => (integration as Stoppable).stop?.(false))
          end()
        },
        erase: () => eraseStorage(replayKeys),
      }
      hold(it)
      return [() => void held.delete(it), end]
    },
  }
  return placeholder
}

/** The recorder; other integrations have nothing to discard. */
interface Stoppable extends Integration {
  stop?(isFlushed: boolean): void
}

/** Puts one integration of a client in the place of another. */
function replace({ integrations }: Client, one: Integration, other: Integration): void {
  const list = integrations as Integration[]
  const index = list.indexOf(one)
  if (index >= 0) list[index] = other
}
