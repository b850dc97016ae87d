'use client'

import type { RecorderState, ReplayIntegration } from '@afterimage/next/client'
import { envelopeAddress } from '@afterimage/sdk-core/envelope-address'
import { consoleClient, reportingRates } from './report-console.ts'

/** State of the console's own client in this tab, for the settings page. */
export interface ClientFacts {
  readonly recorder: RecorderState
  readonly rates: typeof reportingRates
  /** Path that reports are sent to, on this host. */
  readonly tunnel: string
  /** Discarded items not yet reported to the server, by `reason:category`. */
  readonly discards: Readonly<Record<string, number>>
}

/** Polling interval for facts without an event to listen to. */
const LOOK_EVERY_MS = 1000

/** Returns the facts as JSON, so that equal facts compare equal; null where nothing is reported. */
export function clientFacts(): string | null {
  const client = consoleClient()
  if (client === null) return null
  const facts: ClientFacts = {
    recorder: replayOf()?.state() ?? { name: 'notStarted' },
    rates: reportingRates,
    tunnel: envelopeAddress(client.dsn, client.options),
    discards: Object.fromEntries(client.discards),
  }
  return JSON.stringify(facts)
}

/** Calls `onChange` when the facts may have changed. */
export function watchClientFacts(onChange: () => void): () => void {
  const timer = setInterval(onChange, LOOK_EVERY_MS)
  const undo = replayOf()?.onState(onChange)
  return () => {
    clearInterval(timer)
    undo?.()
  }
}

function replayOf(): ReplayIntegration | undefined {
  return consoleClient()?.integrations.find(({ name }) => name === 'replay') as
    | ReplayIntegration
    | undefined
}
