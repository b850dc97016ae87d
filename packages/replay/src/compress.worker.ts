import { deflate } from './compress.ts'

/** The worker as a file, for pages whose policy forbids workers from blobs: option `workerUrl`. */

addEventListener('message', ({ data: [id, text] }: MessageEvent<[number, string]>) => {
  void deflate(text).then((body) => postMessage([id, body]))
})
