import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal, RefusalReason } from '@afterimage/protocol/outcome'
import type { AppError } from '../errors.ts'
import type { IngestLimits } from './limits.ts'

/** The answer of a handler; `send` adds the common headers. */
export interface Answer {
  readonly status: number
  readonly body: string | Uint8Array
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Not for the eyes of other origins' pages. */
  readonly isOwn?: boolean
  /** The reason under which a refused request is counted. */
  readonly refused?: RefusalReason | 'aborted' | 'timeout' | 'busy' | 'unavailable' | 'method'
}

/** Anyone's page may send here and read the answer: the key in the request is what is checked. */
const corsHeaders = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cross-origin-resource-policy',
  'cross-origin',
] as const

const statusOfReason: Partial<Record<RefusalReason, number>> = {
  missing_auth: 401,
  invalid_auth: 401,
  multiple_auth: 401,
  unknown_project: 403,
  unknown_key: 403,
  too_large: 413,
  too_many_events: 413,
  unsupported_media_type: 415,
}

/** The answer an SDK reads after sending an event: its id, or an empty object without an event. */
export function acceptedAnswer(eventId: string | null): Answer {
  return { status: 200, body: eventId === null ? '{}' : `{"id":"${eventId}"}` }
}

export function refusalAnswer(refusal: Refusal): Answer {
  return {
    ...detailAnswer(statusOfReason[refusal.reason] ?? 400, refusal.detail, [refusal.reason]),
    refused: refusal.reason,
  }
}

export function failureAnswer(error: AppError): Answer {
  const answer = detailAnswer(error.status, error.message, [error.code])
  const headers = { ...answer.headers, ...(error.status === 503 && { 'retry-after': '5' }) }
  return { ...answer, headers, refused: 'unavailable' }
}

export function detailAnswer(status: number, detail: string, causes: readonly string[]): Answer {
  // A header takes no line breaks and nothing beyond Latin-1; the body has the whole text.
  const text = detail.replaceAll(/[^\x20-\x7e]/g, '?')
  return {
    status,
    body: JSON.stringify({ detail, causes }),
    headers: { 'x-sentry-error': text },
  }
}

/** Answers a request whose method the address does not take. */
export function methodAnswer(allowed: readonly string[]): Answer {
  const answer = detailAnswer(405, `this address takes ${allowed.join(' and ')}`, [])
  const headers = { ...answer.headers, allow: allowed.join(', ') }
  return { ...answer, headers, refused: 'method' }
}

/** Answers a preflight, in which every SDK, old or new, may announce its headers. */
export function preflightAnswer(request: IncomingMessage): Answer {
  const isPrivate = request.headers['access-control-request-private-network'] === 'true'
  return {
    status: 204,
    body: '',
    headers: {
      'access-control-allow-methods': 'POST, GET, OPTIONS',
      'access-control-allow-headers':
        'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, ' +
        'authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage, ' +
        'traceparent',
      'access-control-max-age': '3600',
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
    },
  }
}

/** Sends an answer, and lets a body that nobody will read run out. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  limits: IngestLimits,
): void {
  if (response.headersSent || response.destroyed) return
  const hasBody = answer.status !== 204 && answer.status !== 304
  const headers = answer.isOwn === true ? ['cache-control', 'no-store'] : [...corsHeaders]
  if (hasBody) {
    headers.push('content-type', answer.contentType ?? 'application/json')
    headers.push('content-length', String(Buffer.byteLength(answer.body)))
  }
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '')
  // A flat list is what Node writes out fastest, and this is done for every envelope.
  response.writeHead(answer.status, headers)
  response.end(hasBody ? answer.body : undefined)
  if (!request.complete) drain(request, limits)
}

/**
 * Lets the rest of a body run out, within limits: closing on a sender that still sends would take
 * the answer away from it unread.
 */
export function drain(request: IncomingMessage, limits: IngestLimits): void {
  let bytes = 0
  const timer = setTimeout(() => request.destroy(), limits.drainMs)
  request
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.drainBytesMax) request.destroy()
    })
    .on('close', () => clearTimeout(timer))
    .on('error', () => {})
    .resume()
}
