import type { ApiRequest } from './context.ts'
import { ApiProblem, badRequest } from './problem.ts'

/** Bodies of the API are small: the longest is a comment. */
const BODY_BYTES_MAX = 1_000_000

/**
 * A JSON object whose members are not yet known. As tools send them, `null` means "not given" wherever
 * the readers below are used; `assignedTo` alone gives it a meaning of its own.
 */
export type Body = Readonly<Record<string, unknown>>

/** The JSON object of a request. @throws ApiProblem 400 or 413 */
export async function readBody(c: ApiRequest): Promise<Body> {
  const text = await readText(c.req.raw)
  let body: unknown
  try {
    body = JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw badRequest('The body is not JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('The body must be a JSON object.')
  }
  return body as Body
}

async function readText(request: Request): Promise<string> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > BODY_BYTES_MAX) throw new ApiProblem(413, 'The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A text of 1 to `max` characters; undefined when the body does not name it. */
export function textField(body: Body, field: string, max: number): string | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw badRequest(`${field}: must be a string`)
  const text = value.trim()
  if (text === '' || text.length > max) {
    throw badRequest(`${field}: must have 1 to ${max} characters`)
  }
  return text
}

/** As `textField`, for a field that must be there. */
export function requiredText(body: Body, field: string, max: number): string {
  const text = textField(body, field, max)
  if (text === undefined) throw badRequest(`${field}: is required`)
  return text
}

export function flagField(body: Body, field: string): boolean | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw badRequest(`${field}: must be true or false`)
}

/** A whole number from 1 to `max`. */
export function countField(body: Body, field: string, max: number): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) {
    return value
  }
  throw badRequest(`${field}: must be a whole number from 1 to ${max}`)
}

export function oneOfField<const T extends string>(
  body: Body,
  field: string,
  choices: readonly T[],
): T | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw badRequest(`${field}: must be one of ${choices.join(', ')}`)
  return found
}

export function objectField(body: Body, field: string): Body | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest(`${field}: must be an object`)
  }
  return value as Body
}

/** An ISO time as ms. */
export function timeField(body: Body, field: string): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  const at = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) throw badRequest(`${field}: must be an ISO 8601 time`)
  return at
}
