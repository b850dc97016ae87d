import { once } from 'node:events'
import { createServer } from 'node:http'

export interface PageServer {
  readonly url: string
  close(): Promise<void>
}

/** Answers that clients need before they record: everything is on, nothing is sampled. */
const answers: readonly (readonly [path: RegExp, answer: () => unknown])[] = [
  [
    /^\/(array\/key\/config|flags|decide)/,
    () => ({
      sessionRecording: { endpoint: '/s/', version: 'v2' },
      supportedCompression: ['gzip-js'],
      featureFlags: {},
      hasFeatureFlags: false,
    }),
  ],
  [
    /^\/v1\/web\/start/,
    () => ({
      token: 'token',
      userUUID: '00000000-0000-4000-8000-000000000000',
      sessionID: '1',
      projectID: '1',
      timestamp: Date.now(),
      startTimestamp: Date.now(),
      delay: 0,
      beaconSizeLimit: 1_000_000,
      compressionThreshold: 24_000,
    }),
  ],
]

/** Serves `/page?<variant>`, the scripts, and an answer to everything that is reported. */
export async function startPageServer(scripts: ReadonlyMap<string, string>): Promise<PageServer> {
  const server = createServer((request, response) => {
    request.resume()
    const { pathname, search } = new URL(request.url ?? '/', 'http://page')
    const script = scripts.get(pathname.slice(1))
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript')
      response.end(script)
    } else if (pathname === '/page') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(`<!doctype html><html lang="en"><head><title>Page</title></head>
<body><main id="main" style="content-visibility:hidden"></main><script src="/${search.slice(1)}"></script></body></html>`)
    } else {
      const answer = answers.find(([path]) => path.test(pathname))?.[1]() ?? {}
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
