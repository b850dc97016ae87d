import { readAnswer, unreachable, type Answer } from './answer.ts'

type ApiHandler = (request: Request) => Promise<Response>

/**
 * Asks the API inside this process: the web role hands its handler over under this symbol before it
 * starts Next, so a page's data costs no socket. The visitor's cookie is passed on, so a page reads
 * only what its reader may read. `path` begins with `/api/`.
 */
export async function askInProcess<T>(
  path: string,
  cookie: string | null,
  init: { method?: string; body?: unknown } = {},
): Promise<Answer<T>> {
  const handler = (globalThis as Record<symbol, unknown>)[Symbol.for('afterimage.api')]
  if (typeof handler !== 'function') return unreachable('it is not mounted in this process')
  const headers = new Headers({ accept: 'application/json' })
  if (cookie !== null && cookie !== '') headers.set('cookie', cookie)
  if (init.body !== undefined) headers.set('content-type', 'application/json')
  try {
    const request = new Request(new URL(path, 'http://console.internal'), {
      method: init.method ?? 'GET',
      headers,
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    })
    return await readAnswer<T>(await (handler as ApiHandler)(request))
  } catch (cause) {
    return unreachable(cause)
  }
}
