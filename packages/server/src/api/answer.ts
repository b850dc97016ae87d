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
  const link = (rel: 'previous' | 'next', cursor: string | null): string => {
    const url = new URL(c.req.url)
    url.searchParams.set('cursor', cursor ?? '')
    return `<${url.pathname}${url.search}>; rel="${rel}"; results="${cursor !== null}"; cursor="${cursor ?? ''}"`
  }
  c.header('Link', `${link('previous', cursors.previous)}, ${link('next', cursors.next)}`)
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at)
}
