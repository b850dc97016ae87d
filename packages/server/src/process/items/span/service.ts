import { textOf, type Attributes } from './attributes.ts'

/** Packages of the JavaScript SDK that run in a browser, or on a server, and never elsewhere. */
const browserPackages = new Set(
  'browser react vue angular svelte solid ember preact gatsby wasm'.split(' '),
)
const serverPackages = new Set(
  (
    'node node-core node-native bun deno cloudflare vercel-edge nestjs hono elysia ' +
    'aws-serverless serverless google-cloud-serverless'
  ).split(' '),
)

/**
 * Returns the service that made a span: its own name when it has one, else `browser`, `node`, `bun`, `python`, ….
 * Packages of frameworks run on both sides (nextjs, nuxt, …): there `isBrowser` decides.
 */
export function serviceOf(
  sdkName: string | null,
  attributes: Attributes,
  isBrowser: boolean,
): string {
  const own = textOf(attributes, 'service.name')
  if (own !== null) return own.slice(0, 200)
  const [, language, packageName] =
    /^sentry\.([a-z0-9_-]+)(?:\.([a-z0-9_-]+))?/.exec(sdkName ?? '') ?? []
  if (language === undefined) return isBrowser ? 'browser' : 'unknown'
  if (language !== 'javascript') return language
  if (packageName !== undefined && browserPackages.has(packageName)) return 'browser'
  if (packageName !== undefined && serverPackages.has(packageName)) return serverName(packageName)
  return isBrowser ? 'browser' : 'node'
}

function serverName(packageName: string): string {
  return /^(?:bun|deno|cloudflare)$/.test(packageName) ? packageName : 'node'
}

/** The platform a service's events would name. */
export function platformOf(service: string, sdkName: string | null): string {
  if (service === 'browser') return 'javascript'
  if (sdkName?.startsWith('sentry.javascript.') === true) return 'node'
  return service
}
