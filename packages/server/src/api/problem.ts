import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A request that cannot be answered as asked; becomes `{"detail"}` with its status at the edge. */
export class ApiProblem extends Error {
  override name = 'ApiProblem'
  readonly status: ContentfulStatusCode

  constructor(status: ContentfulStatusCode, detail: string) {
    super(detail)
    this.status = status
  }
}

export function notFound(detail = 'The requested resource does not exist'): ApiProblem {
  return new ApiProblem(404, detail)
}

export function badRequest(detail: string): ApiProblem {
  return new ApiProblem(400, detail)
}
