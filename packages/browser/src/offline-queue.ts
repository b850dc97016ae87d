import type { Client } from '@afterimage/sdk-core/client'
import { countsOf } from '@afterimage/sdk-core/envelope'
import type { Counts, OutgoingItem } from '@afterimage/sdk-core/envelope'
import type { Integration } from '@afterimage/sdk-core/integration'
import {
  offlineAgeMsMax,
  offlineBytesMax,
  offlineEnvelopesMax,
  offlineRetryMsMax,
  offlineRetryMsMin,
} from './limits.ts'
import { listen } from '@afterimage/sdk-core/listen'

interface Parked {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The items that are lost with it. */
  readonly counts: readonly Counts[]
  /** ms since the epoch. */
  readonly at: number
}

/**
 * Keeps envelopes that could not be sent in IndexedDB, across reloads. It sends them when the page
 * starts, when the browser is online again, and after a while. When it is full the earlier ones
 * stay, since the first error of many says most; the rest is counted as `cache_overflow`.
 */
export function offlineQueue(): Integration {
  return {
    name: 'offlineQueue',
    setup(client) {
      let waitMs = offlineRetryMsMin
      let timer: ReturnType<typeof setTimeout> | undefined

      function later(): void {
        if (timer !== undefined) return
        timer = setTimeout(() => {
          timer = undefined
          void drain()
        }, waitMs)
        waitMs = Math.min(waitMs * 2, offlineRetryMsMax)
      }

      async function drain(): Promise<void> {
        try {
          const isEmpty = await alone(() => sendAll(client))
          if (isEmpty) waitMs = offlineRetryMsMin
          else later()
        } catch {
          // A browser that forbids the database has nothing waiting in it.
        }
      }

      client.transport.park = (bytes, items) => {
        void keep(client, bytes, items).then(later)
        return true
      }
      void drain()
      return [listen(window, 'online', () => void drain()), () => clearTimeout(timer)]
    },
  }
}

async function keep(
  client: Client,
  bytes: Uint8Array<ArrayBuffer>,
  items: readonly OutgoingItem[],
): Promise<void> {
  const counts = items.map(countsOf)
  let reason = 'network_error'
  try {
    const store = await open('readwrite')
    const kept = await settled<Parked[]>(store.getAll())
    const size = kept.reduce((sum, it) => sum + it.bytes.length, bytes.length)
    if (kept.length < offlineEnvelopesMax && size <= offlineBytesMax) {
      const parked: Parked = { bytes, counts, at: Date.now() }
      await settled(store.add(parked))
      return
    }
    reason = 'cache_overflow'
  } catch {
    // Private windows and full disks: the envelope is lost, and counted.
  }
  for (const it of counts) client.discard(reason, it)
}

/**
 * Sends the oldest first, one at a time. Returns false when the network fails or the server asks to
 * wait. Envelopes refused for good are counted.
 */
async function sendAll(client: Client): Promise<boolean> {
  const store = await open('readonly')
  const [keys, kept] = await Promise.all([
    settled<IDBValidKey[]>(store.getAllKeys()),
    settled<Parked[]>(store.getAll()),
  ])
  for (const [index, { bytes, counts, at }] of kept.entries()) {
    let lost = Date.now() - at > offlineAgeMsMax && 'cache_overflow'
    if (!lost) {
      const isLimited = counts.some((it) =>
        client.transport.isRateLimited(Object.keys(it)[0] ?? ''),
      )
      if (isLimited) return false
      const { status } = await client.transport.post(withSentAt(bytes))
      if (status === 0 || status === 429) return false
      lost = status >= 300 && 'send_error'
    }
    if (lost) for (const it of counts) client.discard(lost, it)
    const key = keys[index]
    if (key !== undefined) await settled((await open('readwrite')).delete(key))
  }
  return true
}

/** Sets the time of sending to now, by which the server corrects a wrong clock. */
function withSentAt(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const end = bytes.indexOf(0x0a)
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as object
  const line = new TextEncoder().encode(JSON.stringify({ ...header, sent_at: new Date() }))
  const refreshed = new Uint8Array(line.length + bytes.length - end)
  refreshed.set(line)
  refreshed.set(bytes.subarray(end), line.length)
  return refreshed
}

/**
 * Keeps two tabs from sending the same envelope, where browsers have locks. Returns false when
 * another page is sending: it may be the one that is being left, which does not come to the end.
 */
async function alone(run: () => Promise<boolean>): Promise<boolean> {
  if (!navigator.locks) return run()
  return navigator.locks.request('afterimage-offline', { ifAvailable: true }, (lock) =>
    lock === null ? false : run(),
  )
}

async function open(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open('afterimage', 1)
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore('envelopes', { autoIncrement: true }),
  )
  const database = await settled(request)
  const transaction = database.transaction('envelopes', mode)
  transaction.addEventListener('complete', () => database.close())
  return transaction.objectStore('envelopes')
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
