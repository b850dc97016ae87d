import type { Client } from '@afterimage/sdk-core/client'
import type { Integration } from '@afterimage/sdk-core/integration'
import { init as start } from '../index.ts'
import type { Options as OwnOptions } from '@afterimage/sdk-core/options'
import { ownName, theirName } from './integration-names.ts'
import { wordsOf } from './scope.ts'
import type { Words } from './scope.ts'

/** The options of the other client. Those without a counterpart have no effect. */
export interface BrowserOptions extends Omit<OwnOptions, 'dsn' | 'initialScope' | 'integrations'> {
  readonly dsn?: string | undefined
  readonly integrations?: readonly Integration[] | ((defaults: Integration[]) => Integration[])
  readonly defaultIntegrations?: false | readonly Integration[]
  readonly initialScope?: Words
  readonly [option: string]: unknown
}

/** Starts reporting. Undefined without a valid DSN. Without rates nothing is traced or recorded. */
export function init(options: BrowserOptions = {}): Client | undefined {
  const { dsn = '', integrations = [], defaultIntegrations, initialScope, ...rest } = options
  const client = start({
    replaysSessionSampleRate: 0,
    replaysOnErrorSampleRate: 0,
    ...(rest.tracesSampler === undefined && { tracesSampleRate: 0 }),
    ...rest,
    dsn,
    ...(initialScope !== undefined && { initialScope: wordsOf(initialScope) ?? {} }),
    integrations: (own) => chosen(defaultIntegrations === false ? [] : own, integrations),
  })
  return client ?? undefined
}

/** Returns the integrations that run: one for each name, the application's before ours. */
function chosen(
  defaults: readonly Integration[],
  given: NonNullable<BrowserOptions['integrations']>,
): Integration[] {
  const shown = defaults.map((it) => ({ ...it, name: theirName(it.name) }))
  const all = typeof given === 'function' ? given(shown) : [...shown, ...given]
  const byName = new Map<string, Integration>()
  for (const it of all) {
    const name = ownName(it.name)
    // One that is always part of the client may be given as a stand-in that does nothing.
    const isStandIn = Object.keys(it).length === 1
    if (!isStandIn || !byName.has(name)) byName.set(name, { ...it, name })
  }
  return [...byName.values()]
}
