import type { ApiSearchProblem } from '@afterimage/protocol/api/search'

/** An answer of the API: a value, or a refusal that a page can draw. */
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
  | {
      readonly isOk: false
      readonly status: number
      readonly detail: string
      /** Parts of the search that are not valid; absent for other refusals. */
      readonly problems?: readonly ApiSearchProblem[]
    }

/** Errors that the API threw, by their answer. Kept apart from the answers, which go to browsers. */
const failures = new WeakMap<object, unknown>()

/** Property under which the API leaves a thrown error on an answer within its own process. */
const failureOfAnswer = Symbol.for('afterimage.failure')

/** Reads an answer of the API: JSON, a `Link` header with cursors, `{detail}` on failure. */
export async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  const body = await readJson(response)
  if (!response.ok) {
    const failure = (response as { [failureOfAnswer]?: unknown })[failureOfAnswer]
    const { status } = response
    const problems = problemsOf(body)
    const detail = detailOf(body, status)
    const answer = {
      isOk: false,
      status,
      detail,
      ...(problems.length > 0 && { problems }),
    } as const
    if (failure !== undefined) failures.set(answer, failure)
    return answer
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

/**
 * Returns the error that a page throws when the API failed: the API's own where it is known, so
 * that a report names it; else one with its message.
 */
export function failureOf(answer: Answer<unknown> & { readonly isOk: false }): unknown {
  return failures.get(answer) ?? new Error(answer.detail)
}

/**
 * Returns the page's main answer. Throws when the API failed, so that the page is a 500
 * (docs/specification.md#s2). A refusal (4xx) is an answer, which the page can draw.
 * @throws the API's own error, or its message, when it failed
 */
export function mainRead<T>(answer: Answer<T>): Answer<T> {
  if (!answer.isOk && answer.status >= 500) throw failureOf(answer)
  return answer
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
    return readWellFormed(await response.text())
  } catch {
    return null
  }
}

/** Matches an unpaired surrogate as JSON escapes it; pairs are never escaped. */
const loneSurrogate = /\\u[dD][89a-fA-F]/

/**
 * Reads JSON with the replacement character in place of each unpaired surrogate: a document cannot
 * contain one, and hydration would find other text than the server wrote.
 */
function readWellFormed(text: string): unknown {
  if (!loneSurrogate.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}

function detailOf(body: unknown, status: number): string {
  if (typeof body === 'object' && body !== null) {
    if ('detail' in body && typeof body.detail === 'string') return body.detail
    if ('message' in body && typeof body.message === 'string') return body.message
  }
  return `The API answered ${status}.`
}

function problemsOf(body: unknown): readonly ApiSearchProblem[] {
  if (typeof body !== 'object' || body === null || !('problems' in body)) return []
  // Our own API wrote it, in the shape that the protocol promises.
  return Array.isArray(body.problems) ? (body.problems as ApiSearchProblem[]) : []
}
