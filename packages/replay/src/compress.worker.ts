import { deflate } from './compress.ts'

/** The worker as a file, for pages whose CSP forbids workers from blobs: option `workerUrl`. */

addEventListener('message', ({ data: [id, texts] }: MessageEvent<[number, string[]]>) => {
  void deflate(texts).then((body) => postMessage([id, body]))
})
