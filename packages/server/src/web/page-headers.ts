/** Pages that others may show in a frame of theirs: the address of a shared replay alone. */
const framedByAnyone = /^\/embed\//

/**
 * What browsers are told with every page of the console: to load nothing from and to talk to nobody
 * but this server, whatever a recorded page or an event has in it, and to tell nobody which page a
 * link was followed from, since addresses of shared pages are secrets.
 *
 * @param baseUrl the address in DSNs: the console's test of the tunnel sends there too, also when it
 * is itself open under another name of this server
 */
export function createPageHeaders(
  baseUrl: string,
): (path: string) => Readonly<Record<string, string>> {
  const policy = [
    "default-src 'self'",
    // Next writes what a page begins with, and the theme, as scripts into the page itself.
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // The recorder, of whoever uses the console, compresses in a worker that it makes itself.
    "worker-src 'self' blob:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
  ].join('; ')
  return (path) => ({
    'content-security-policy': framedByAnyone.test(path)
      ? policy
      : `${policy}; frame-ancestors 'self'`,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
}
