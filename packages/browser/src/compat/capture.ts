import {
  captureMessage as captureText,
  captureThrown,
  getClient as getOwnClient,
} from '@afterimage/sdk-core/api'
import type { Client as OwnClient } from '@afterimage/sdk-core/client'
import type { EventLevel } from '@afterimage/protocol/event'
import type { Integration } from '@afterimage/sdk-core/integration'
import type { Options } from '@afterimage/sdk-core/options'
import { ownName } from './integration-names.ts'
import { wordsOf } from './scope.ts'
import type { Words } from './scope.ts'

/** Our client, with the methods of the other that applications call. */
export interface Client extends OwnClient {
  getOptions(): Options
  getDsn(): OwnClient['dsn']
  getIntegrationByName<T extends Integration = Integration>(name: string): T | undefined
  addIntegration(integration: Integration): void
}

/** Returns the client that runs; undefined before `init`. */
export function getClient(): Client | undefined {
  const client = getOwnClient()
  if (client === null) return undefined
  return Object.assign(Object.create(client) as OwnClient, {
    getOptions: () => client.options,
    getDsn: () => client.dsn,
    getIntegrationByName: <T extends Integration>(name: string) =>
      client.integrations.find((it) => it.name === ownName(name)) as T | undefined,
    addIntegration,
  })
}

export function isInitialized(): boolean {
  return getOwnClient() !== null
}

export const isEnabled = isInitialized

/** Adds an integration to the client that runs, unless it has one of this name. */
export function addIntegration(integration: Integration): void {
  const client = getOwnClient()
  if (client === null || client.integrations.some((it) => it.name === integration.name)) return
  // The list is the client's own: `start` makes it.
  ;(client.integrations as Integration[]).push(integration)
  integration.setup?.(client)
}

/** Reports a thrown value. Returns the event's id; '' when nothing was captured. */
export function captureException(thrown: unknown, words?: Words): string {
  const here: { stack?: string } = {}
  Error.captureStackTrace?.(here, captureException)
  const syntheticException = here.stack ? here : { stack: new Error().stack, framesToPop: 1 }
  return captureThrown(thrown, { syntheticException, context: wordsOf(words) })
}

export function captureMessage(message: string, words?: EventLevel | Words): string {
  return captureText(message, typeof words === 'string' ? words : wordsOf(words))
}

/** Tags a template literal; its text is the message. */
export function parameterize(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  return String.raw({ raw: strings }, ...values)
}
