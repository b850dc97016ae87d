import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A request that cannot be answered as asked; becomes `{"detail"}` with its status at the edge. */
export class ApiProblem extends Error {
  override name = 'ApiProblem'
  readonly status: ContentfulStatusCode
  /** Stands beside `detail` in the answer. */
  readonly more: Readonly<Record<string, unknown>>

  constructor(
    status: ContentfulStatusCode,
    detail: string,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail)
    this.status = status
    this.more = more
  }
}

export function notFound(detail = 'The requested resource does not exist'): ApiProblem {
  return new ApiProblem(404, detail)
}

export function badRequest(detail: string): ApiProblem {
  return new ApiProblem(400, detail)
}
