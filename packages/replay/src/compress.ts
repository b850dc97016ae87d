import { compressMs } from './limits.ts'

/**
 * Compresses a list, given as the JSON of each item, to zlib. Null where that is not possible; the
 * list is then sent as it is.
 */
export type Compress = (texts: readonly string[]) => Promise<Uint8Array | null>

/** Compresses by the browser's own stream, in the worker or on a page that cannot have one. */
export async function deflate(texts: readonly string[]): Promise<Uint8Array | null> {
  try {
    const stream = new Blob([`[${texts}]`]).stream().pipeThrough(new CompressionStream('deflate'))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  } catch {
    return null
  }
}

/**
 * Compresses in a worker: from a blob or, where CSP forbids that, from `workerUrl` on the page's
 * host. Without a working one the page compresses by the browser's own stream. The worker is
 * created for the first list, since many pages end before there is one.
 */
export function createCompress(workerUrl?: string): { compress: Compress; close: () => void } {
  const waiting = new Map<number, (body: Uint8Array | null) => void>()
  let worker: Worker | undefined
  let count = 0

  function startWorker(address: string, next?: string): void {
    const fail = (): void => {
      worker = undefined
      // Lists that the worker left unanswered are compressed here.
      waiting.forEach((resolve) => resolve(null))
      waiting.clear()
      if (next) startWorker(next)
    }
    try {
      worker = new Worker(address)
      worker.addEventListener('error', fail)
      worker.addEventListener('message', ({ data: [id, body] }) => {
        waiting.get(id)?.(body)
        waiting.delete(id)
      })
    } catch {
      fail()
    }
  }

  return {
    async compress(texts) {
      if (!count++) {
        // The whole worker; pages that host it use `compress.worker.ts`, which is the same.
        const program = `onmessage=async({data:[n,t]})=>postMessage([n,await(${deflate})(t)])`
        startWorker(URL.createObjectURL(new Blob([program])), workerUrl)
      }
      if (!worker) return deflate(texts)
      const answer = new Promise<Uint8Array | null>((resolve) => {
        waiting.set(count, resolve)
        setTimeout(resolve, compressMs, null)
      })
      // The worker joins the texts, to spare the page. A worker has no origin to name.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage([count, texts])
      return (await answer) ?? deflate(texts)
    },
    close: () => worker?.terminate(),
  }
}
