import type { ApiRequest } from './context.ts'

export interface Cursors {
  /** Null at the ends. */
  readonly previous: string | null
  readonly next: string | null
}

/**
 * Names the pages around this one as Sentry does: both relations always, with whether there are
 * results and the cursor to ask for.
 */
export function setLink(c: ApiRequest, cursors: Cursors): void {
  const address = addressOf(c)
  const link = (rel: 'previous' | 'next', cursor: string | null): string => {
    const url = new URL(c.req.url)
    url.searchParams.set('cursor', cursor ?? '')
    return `<${address}${url.pathname}${url.search}>; rel="${rel}"; results="${cursor !== null}"; cursor="${cursor ?? ''}"`
  }
  c.header('Link', `${link('previous', cursors.previous)}, ${link('next', cursors.next)}`)
}

/**
 * Returns the address by which the asker knows this server, with its base path: the front door says it;
 * programs follow links as they stand.
 */
export function addressOf(c: ApiRequest): string {
  const { protocol, host } = new URL(c.req.url)
  const scheme = c.req.header('x-forwarded-proto')?.split(',')[0]?.trim() ?? protocol.slice(0, -1)
  const name = c.req.header('x-forwarded-host')?.split(',')[0]?.trim() ?? host
  const address = `${scheme}://${name}`
  return URL.canParse(address) ? `${new URL(address).origin}${c.get('basePath')}` : ''
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at)
}
