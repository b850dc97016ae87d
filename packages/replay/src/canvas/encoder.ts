import { encodeMs } from './limits.ts'

/** A picture to encode; the bitmap is closed. */
export interface Draft {
  readonly bitmap: ImageBitmap
  /** Size at which it is drawn, in px. */
  readonly width: number
  readonly height: number
  /** 0 to 1. */
  readonly quality: number
}

/**
 * Encodes a picture as a data URL: WebP, or PNG where the browser cannot. Null when the worker did
 * not answer. Rejects when the browser keeps the pixels of the bitmap from scripts.
 */
export type Encode = (draft: Draft) => Promise<string | null>

/** Encodes in the worker, or on a page that cannot have one. */
async function encode({ bitmap, width, height, quality }: Draft): Promise<string> {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', reject)
    reader.readAsDataURL(blob)
  })
}

/**
 * Creates an encoder with a worker from a blob, made for the first picture. Where CSP forbids such
 * workers, or this one fails, the page encodes.
 */
export function createEncoder(): { readonly encode: Encode; readonly close: () => void } {
  const waiting = new Set<(url: null) => void>()
  let worker: Worker | null | undefined

  function startWorker(): Worker | null {
    const program = `onmessage=({data:[port,draft]})=>(${encode})(draft).then(it=>port.postMessage(it),()=>port.postMessage(null))`
    const address = URL.createObjectURL(new Blob([program]))
    try {
      const started = new Worker(address)
      started.addEventListener('error', fail)
      return started
    } catch {
      return null
    } finally {
      URL.revokeObjectURL(address)
    }
  }

  function fail(): void {
    worker?.terminate()
    worker = null
    waiting.forEach((resolve) => resolve(null))
    waiting.clear()
  }

  return {
    async encode(draft) {
      worker = worker === undefined ? startWorker() : worker
      if (!worker) return encode(draft)
      const { port1, port2 } = new MessageChannel()
      worker.postMessage([port2, draft], [port2, draft.bitmap])
      return new Promise((resolve) => {
        const timer = setTimeout(fail, encodeMs)
        waiting.add(resolve)
        port1.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
          clearTimeout(timer)
          waiting.delete(resolve)
          resolve(data)
          port1.close()
        })
        port1.start()
      })
    },
    close: () => worker?.terminate(),
  }
}
