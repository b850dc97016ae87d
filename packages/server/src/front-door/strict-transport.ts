/** A year, for which browsers remember that a host is reached by https alone. */
const STRICT_TRANSPORT = 'max-age=31536000'

/**
 * Returns the value of `Strict-Transport-Security` for every page and every answer of the API, or null
 * where people reach the server without TLS. Other names below the host are left alone.
 */
export function strictTransport(baseUrl: string): string | null {
  return new URL(baseUrl).protocol === 'https:' ? STRICT_TRANSPORT : null
}
