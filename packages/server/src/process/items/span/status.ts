import { numberOf, textOf, type Attributes } from './attributes.ts'

/** The names of gRPC's status codes, which all SDKs use; `unknown` when nothing was said. */
const statusNames = new Set(
  (
    'ok cancelled unknown unknown_error internal_error invalid_argument deadline_exceeded not_found ' +
    'already_exists permission_denied resource_exhausted failed_precondition aborted out_of_range ' +
    'unimplemented unavailable data_loss unauthenticated'
  ).split(' '),
)

/**
 * A span's status as one of gRPC's names. Streamed spans say only `ok` or `error`, and their message or
 * response code says which error; an SDK's free text counts as `internal_error`.
 */
export function spanStatus(raw: unknown, attributes: Attributes): string {
  const status = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
  if (status === '') return 'unknown'
  if (status === 'canceled') return 'cancelled'
  if (status !== 'error' && statusNames.has(status)) return status
  const message = textOf(attributes, 'sentry.status.message')?.toLowerCase() ?? ''
  if (statusNames.has(message) && message !== 'ok') return message
  const code = numberOf(attributes, 'http.response.status_code', 'http.status_code')
  return code === null ? 'internal_error' : statusOfHttpCode(code)
}

const statusOfCode: Readonly<Record<number, string>> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  409: 'already_exists',
  413: 'failed_precondition',
  429: 'resource_exhausted',
  499: 'cancelled',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline_exceeded',
}

function statusOfHttpCode(code: number): string {
  return statusOfCode[code] ?? (code >= 400 && code < 500 ? 'invalid_argument' : 'internal_error')
}
