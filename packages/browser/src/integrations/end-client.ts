import { close, getClient } from '@afterimage/sdk-core/api'
import type { Client } from '@afterimage/sdk-core/client'
import { guard } from '@afterimage/sdk-core/guard'

/** Beginnings of the keys under which the client's parts keep something in the page's storage. */
export const replayKeys = 'afterimageReplay'
export const settingsKeys = 'afterimageSettings'

/**
 * Ends a client at once: it captures and sends nothing more. Reports that it holds are discarded,
 * and so are those that it keeps in the browser.
 */
export function endClient(client: Client): void {
  // An answer after which no part of the client tries again.
  client.transport.post = () => Promise.resolve({ status: 403 })
  delete client.transport.park
  // While it starts it is not the page's client yet.
  queueMicrotask(() => {
    void (getClient() === client ? close(0) : client.close(0))
    eraseReports()
  })
}

/** Deletes what was recorded, or could not be sent. */
export function eraseReports(): void {
  eraseStorage(replayKeys)
  guard(() => indexedDB.deleteDatabase('afterimage'))
}

/** Deletes the members of the page's storage whose keys begin so. */
export function eraseStorage(beginning: string): void {
  for (const name of ['sessionStorage', 'localStorage'] as const) {
    guard(() => {
      const storage = globalThis[name]
      for (const key of Object.keys(storage)) {
        if (key.startsWith(beginning)) storage.removeItem(key)
      }
    })
  }
}
