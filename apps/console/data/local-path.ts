/** An arbitrary host: an address is only tested for staying on it. */
const origin = 'http://console.internal'

/**
 * Returns the address within this console that a link names as its target, or null when it leads
 * elsewhere. Browsers drop line breaks and tabs, and read `\\` as `/`, so their parser decides.
 */
export function localPath(asked: string): string | null {
  if (!asked.startsWith('/') || !URL.canParse(asked, origin)) return null
  const url = new URL(asked, origin)
  const path = url.pathname + url.search + url.hash
  // A path may itself begin like the address of another host.
  const isLocal = url.origin === origin && new URL(path, origin).origin === origin
  return isLocal && !path.startsWith('//') ? path : null
}
