import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'

/**
 * Reports to the server what was discarded and why, whenever the page is hidden or unloaded. Counts
 * that could not be sent are kept.
 */
export function clientReports(): Integration {
  return {
    name: 'clientReports',
    setup(client) {
      function tell(): void {
        const told = [...client.discards]
        if (told.length === 0) return
        client.discards.clear()
        const discarded_events = told.map(([key, quantity]) => {
          const [reason, category] = key.split(':')
          return { reason, category, quantity }
        })
        const payload = JSON.stringify({ timestamp: Date.now() / 1000, discarded_events })
        // The loss of a report is not counted, or there would be no end to it.
        const item = { header: { type: 'client_report' }, payload, counts: {} }
        void client.send([item], {}, true).then(({ status }) => {
          if (status === 0) told.forEach(([key, quantity]) => restore(key, quantity))
          return undefined
        })
      }
      function restore(key: string, quantity: number): void {
        client.discards.set(key, (client.discards.get(key) ?? 0) + quantity)
      }
      return [
        listen(document, 'visibilitychange', () => {
          if (document.visibilityState === 'hidden') tell()
        }),
        listen(window, 'pagehide', tell),
      ]
    },
  }
}
