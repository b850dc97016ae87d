/** Turns the paths of bundlers into those that people know, and says which are the application's. */

const scheme = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)\/?(.*)$/is
/** A layer of webpack in Next: `(rsc)/./src/a.ts`, `(app-pages-browser)/…`. */
const layer = /^\([\w-]+\)\//
const project = /^\[project\]\//

/** The schemes whose authority is a host, or nothing, and not a part of the path. */
const absoluteSchemes = new Set(['http', 'https', 'file'])

/**
 * Returns the path of a source as it is in the repository, as far as the bundler's form tells: without
 * scheme, namespace, layer, query and the way up to the root.
 */
export function sourcePath(raw: string): string {
  const path = raw.replaceAll('\\', '/').replaceAll('\0', '')
  const [, name = '', authority = '', rest = ''] = scheme.exec(path) ?? []
  if (absoluteSchemes.has(name.toLowerCase())) return `/${withoutQuery(rest)}`
  // Turbopack writes `turbopack://[project]/…` as well as `turbopack:///[project]/…`.
  const below = name === '' ? path : authority.startsWith('[') ? `${authority}/${rest}` : rest
  const inside = withoutQuery(below).replace(layer, '').replace(project, '')
  const isFromRoot = name === '' && inside.startsWith('/')
  return (isFromRoot ? '/' : '') + withNodeModules(resolved(inside))
}

/** Old webpack writes `~` for `node_modules`. */
function withNodeModules(path: string): string {
  return path.replace(/(^|\/)~\//g, '$1node_modules/')
}

function withoutQuery(path: string): string {
  const query = path.indexOf('?')
  return query < 0 ? path : path.slice(0, query)
}

/** Resolves `.` and `..`; the ways up that are left lead out of the build's folder, and say nothing. */
function resolved(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Code that a bundler adds: its runtime, stand-ins for what it leaves out, and helpers. */
const bundlersOwn =
  /^(?:webpack\/|\(webpack\)|external[ :]|\[(?:turbopack|next|externals|root)[^\]]*\]\/|vite\/|commonjsHelpers\.js$)/

/** True for a source of the application, false for libraries and for what bundlers add. */
export function isOwnSource(raw: string, path: string): boolean {
  return !raw.startsWith('\0') && !/(?:^|\/)node_modules\//.test(path) && !bundlersOwn.test(path)
}

/** Returns the name of a source without what varies: root, ending, `.min`. */
export function moduleOf(path: string): string {
  const inner = path.slice(
    path.lastIndexOf('node_modules/') + 1 && path.lastIndexOf('node_modules/') + 13,
  )
  const bare = inner.replace(/^\/+/, '').replace(/\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?)$/i, '')
  return bare.replace(/\.min$/, '')
}

/** Returns the address of a source: its own, else as seen from its script. */
export function sourceAddress(raw: string, script: string): string {
  if (scheme.test(raw)) return raw
  if (raw.startsWith('\0') || !URL.canParse(raw, script)) return raw
  return decoded(new URL(raw, script).href)
}

function decoded(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
