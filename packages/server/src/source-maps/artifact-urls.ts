/**
 * Lists the urls under which a file at this address may have been uploaded, the likeliest first: the
 * address itself, without its query, and both with `~` for the origin. The fragment plays no part.
 */
export function urlCandidates(address: string): readonly string[] {
  const whole = address.replace(/#.*$/s, '')
  const bare = whole.replace(/\?.*$/s, '')
  const candidates = [whole, bare]
  for (const url of [whole, bare]) {
    if (url.startsWith('~')) continue
    const path = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)$/is.exec(url)?.[1]
    if (path !== undefined) candidates.push(`~${path}`)
    else candidates.push(url.startsWith('/') ? `~${url}` : `~/${url}`)
  }
  return [...new Set(candidates)]
}

/**
 * Resolves what a script says of its map against the script's own url: `a.js.map` beside `~/js/a.js`
 * is `~/js/a.js.map`. Null for an inline map and for what is not a valid reference.
 */
export function mapUrlOf(scriptUrl: string, reference: string): string | null {
  if (reference === '' || reference.startsWith('data:')) return null
  const isRelative = scriptUrl.startsWith('~')
  const base = isRelative ? `upload://~${scriptUrl.slice(1)}` : scriptUrl
  if (!URL.canParse(reference, base)) return null
  // Urls of uploads are kept as they are written, without percent signs of our own.
  const { href } = new URL(reference, base)
  const url = href.startsWith('upload://~') ? href.slice('upload://'.length) : href
  return reference.includes('%') ? url : decoded(url)
}

function decoded(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
