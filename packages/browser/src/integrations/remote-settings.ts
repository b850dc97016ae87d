import {
  clientSettingsParameter,
  readClientSettings,
  type ClientSettings,
} from '@afterimage/protocol/client-settings'
import type { Client } from '@afterimage/sdk-core/client'
import { envelopeAddress } from '@afterimage/sdk-core/envelope-address'
import { guard, guardEach } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import type { Options } from '@afterimage/sdk-core/options'
import { whenIdle } from '@afterimage/sdk-core/when-idle'
import { filters } from '../filters.ts'
import { endClient, settingsKeys } from './end-client.ts'
import { settingsCharactersMax } from './limits.ts'

/**
 * Applies the project's settings from the console, which can only make the client record less than
 * its options say. They are asked for once a session, when the page is idle, from where reports are
 * sent to. The last answer is kept for the beginning of later pages.
 */
export function remoteSettings(): Integration {
  // From before `init` wraps it: this request leaves no breadcrumb and no span.
  const { fetch } = globalThis
  let filter = filters({} as Options)
  return {
    name: 'remoteSettings',
    setup(client) {
      const { sampleRate: ownRate = 1 } = client.options
      const address = settingsAddress(client)
      /** By settings; it goes on asking, for the settings that let it start again. */
      let isStopped = false
      let isClosed = false
      let hidden = ''

      function apply(settings: ClientSettings): void {
        isStopped = settings.enabled === false
        if (isStopped) return endClient(client)
        const { sampleRate = 1, mask = [], block = [] } = settings
        const options = client.options as { sampleRate?: number }
        options.sampleRate = Math.min(ownRate, sampleRate)
        filter = filters(settings as Options)
        hidden = [...mask, ...block].join()
        guardEach(client.integrations, (it) => it.restrict?.(settings))
      }

      guard(() => apply(kept(address)))
      // Others may replace it while they are set up.
      queueMicrotask(() => {
        const { labels } = client
        if (!labels) return
        client.labels = (element) =>
          guard(() => (hidden && element.closest(hidden) ? '' : labels(element)), '')
      })
      whenIdle(async () => {
        if (isClosed || !isFirstOfSession(address)) return
        const settings = await ask(fetch, address)
        if (!settings || isClosed) return
        guard(() => localStorage.setItem(settingsKeys, JSON.stringify({ address, settings })))
        if (!isStopped) guard(() => apply(settings))
      })
      return [() => void (isClosed = !isStopped)]
    },
    processEvent: (event, hint, client) => filter.processEvent!(event, hint, client),
  }
}

/** Returns the address for envelopes, as it is asked for settings. */
function settingsAddress({ dsn, options }: Client): string {
  const address = envelopeAddress(dsn, options)
  const start = address + (address.includes('?') ? '&' : '?')
  return `${start}${clientSettingsParameter}=${dsn.publicKey}`
}

/** Tells whether this session has not asked yet, and notes that it does. */
function isFirstOfSession(address: string): boolean {
  // Without storage every page is a session of its own.
  return guard(() => {
    const isFirst = sessionStorage.getItem(settingsKeys) !== address
    sessionStorage.setItem(settingsKeys, address)
    return isFirst
  }, true)
}

/** Asks for settings; null when no valid answer came. */
async function ask(send: typeof fetch, address: string): Promise<ClientSettings | null> {
  try {
    // A browser that has an answer asks whether it still holds.
    const response = await send(address, { cache: 'no-cache' })
    const text = await response.text()
    if (!response.ok || text.length > settingsCharactersMax) return null
    const answer: unknown = JSON.parse(text)
    if (Object.getPrototypeOf(answer) !== Object.prototype) return null
    return readClientSettings(answer)
  } catch {
    return null
  }
}

/** Returns the settings of the last answer, which pages may have changed since. */
function kept(address: string): ClientSettings {
  const { address: of, settings } = JSON.parse(localStorage.getItem(settingsKeys) ?? '{}') as {
    readonly address?: string
    readonly settings?: unknown
  }
  return of === address ? readClientSettings(settings) : {}
}
