import { compressMs } from './limits.ts'

/**
 * Compresses a list, of which each item is given as JSON, to zlib; null where that is not possible,
 * and the list is sent as it is.
 */
export type Compress = (texts: readonly string[]) => Promise<Uint8Array | null>

/** zlib by the browser. Used inside of the worker, and on the page where there can be none. */
export async function deflate(texts: readonly string[]): Promise<Uint8Array | null> {
  try {
    const stream = new Blob([`[${texts}]`]).stream().pipeThrough(new CompressionStream('deflate'))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  } catch {
    return null
  }
}

/**
 * Compresses in a worker: one from a blob, or, where the page's policy forbids that, one from
 * `workerUrl` of its own host. Where neither may be, or neither answers, the browser's own stream
 * does it on the page. The worker is made for the first list: many pages go before there is one.
 */
export function createCompress(workerUrl?: string): { compress: Compress; close: () => void } {
  const waiting = new Map<number, (body: Uint8Array | null) => void>()
  let worker: Worker | undefined
  let count = 0

  function startWorker(address: string, next?: string): void {
    const fail = (): void => {
      worker = undefined
      // What the worker did not answer is compressed here.
      for (const resolve of waiting.values()) resolve(null)
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
        // The whole program; `compress.worker.ts` is the same for pages that host it.
        const program = `onmessage=async({data:[n,t]})=>postMessage([n,await(${deflate})(t)])`
        startWorker(URL.createObjectURL(new Blob([program])), workerUrl)
      }
      if (!worker) return deflate(texts)
      const answer = new Promise<Uint8Array | null>((resolve) => {
        waiting.set(count, resolve)
        setTimeout(resolve, compressMs, null)
      })
      // Joined over there: the page need not. A worker has no origin to name.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage([count, texts])
      return (await answer) ?? deflate(texts)
    },
    close: () => worker?.terminate(),
  }
}
