/** What the API answered: a value, or a refusal that a page can draw. Nothing here throws. */
export type Answer<T> =
  | {
      readonly isOk: true
      readonly value: T
      /** Cursor of the page after and before this one; null at the ends. */
      readonly next: string | null
      readonly previous: string | null
      /** `X-Hits`: how many there are in all; null when the API does not count. */
      readonly hits: number | null
    }
  | { readonly isOk: false; readonly status: number; readonly detail: string }

/** Reads an answer of the API: JSON, a `Link` header with cursors, `{detail}` on failure. */
export async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  const body = await readJson(response)
  if (!response.ok) {
    return { isOk: false, status: response.status, detail: detailOf(body, response.status) }
  }
  const cursors = readLinkHeader(response.headers.get('link'))
  const hits = Number(response.headers.get('x-hits') ?? Number.NaN)
  return {
    isOk: true,
    value: body as T,
    next: cursors.next,
    previous: cursors.previous,
    hits: Number.isFinite(hits) ? hits : null,
  }
}

/** Sentry's pagination: `<url>; rel="next"; results="true"; cursor="0:25:0"`. */
export function readLinkHeader(header: string | null): {
  next: string | null
  previous: string | null
} {
  const found: { next: string | null; previous: string | null } = { next: null, previous: null }
  for (const part of header?.split(/,\s*(?=<)/) ?? []) {
    const rel = /rel="(next|previous)"/.exec(part)?.[1]
    const cursor = /cursor="([^"]*)"/.exec(part)?.[1]
    const hasResults = /results="true"/.test(part)
    if (hasResults && cursor !== undefined && (rel === 'next' || rel === 'previous')) {
      found[rel] = cursor
    }
  }
  return found
}

/** The answer when the API itself could not be reached. */
export function unreachable(cause: unknown): Answer<never> {
  const why = cause instanceof Error ? cause.message : String(cause)
  return { isOk: false, status: 503, detail: `The API could not be reached: ${why}` }
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return null
  try {
    return await response.json()
  } catch {
    return null
  }
}

function detailOf(body: unknown, status: number): string {
  if (typeof body === 'object' && body !== null) {
    if ('detail' in body && typeof body.detail === 'string') return body.detail
    if ('message' in body && typeof body.message === 'string') return body.message
  }
  return `The API answered ${status}.`
}
