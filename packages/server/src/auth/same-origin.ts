/**
 * Tells whether a request comes from a page of this very site, as far as the browser says so:
 * `Sec-Fetch-Site` (which no page can forge), else an `Origin` with the host that was asked. A
 * request with neither header is not known to be.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = request.headers.get('origin')
  if (origin === null) return site === 'same-origin'
  if (!URL.canParse(origin)) return false
  const asked =
    request.headers.get('x-forwarded-host') ??
    request.headers.get('host') ??
    new URL(request.url).host
  return site === 'same-origin' || new URL(origin).host === asked
}
