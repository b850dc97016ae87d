import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorTitle, renderErrorPage } from '@afterimage/protocol/error-page'

/** The detail for programs. */
const details: Readonly<Record<number, string>> = {
  408: 'The body did not come in time.',
  413: 'The body is too large.',
  414: 'The address is too long.',
  431: 'The request headers are too large.',
  503: 'The console is not answering. Try again in a moment.',
}

/** Tells whether JSON is the answer that can be read. */
export function isForProgram({ url = '', headers }: IncomingMessage): boolean {
  return (
    url.startsWith('/api/') ||
    headers['x-nextjs-data'] !== undefined ||
    /^application\/json\b/.test(headers.accept ?? '')
  )
}

/** Answers with a status where `web` does not. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
): void {
  if (response.headersSent || response.destroyed) return
  const isJson = isForProgram(request)
  const body = isJson
    ? JSON.stringify({ detail: details[status] ?? errorTitle(status) })
    : renderProblemPage(status)
  response.writeHead(status, {
    'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 503 && { 'retry-after': '5' }),
    ...(!isJson && { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The advice for visitors, below the title. */
const explanations: Readonly<Record<number, string>> = {
  503: 'Errors, replays and traces are still being received. Reload the page in a few seconds.',
}

/** Renders the generic error page (docs/specification.md#s2) for when `web` cannot draw it. */
export function renderProblemPage(status: number): string {
  const explanation = explanations[status]
  return renderErrorPage({ status, ...(explanation !== undefined && { explanation }) })
}
