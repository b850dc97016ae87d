import { isAbsolute, join, resolve } from 'node:path'
import { isIP } from 'node:net'
import type { Env } from './env.ts'
import { AppError } from './errors.ts'

/** Every decision the environment can make, with its default. A pure function of `Env`. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Base of links and DSNs, without a trailing slash. */
  readonly baseUrl: string
  readonly owner: { readonly email: string; readonly password: string } | null
  /** Null: generated into the data directory (mode 0600) at the first start. */
  readonly secretKey: string | null
  readonly tunnelPath: string
  readonly trustProxy: TrustProxy
  /** Region name → origin of the server that handles it. */
  readonly regions: Readonly<Record<string, string>>
  /** The address of `web` for the front door: a socket path of this machine, or another machine's URL. */
  readonly web: { readonly socketPath: string } | { readonly url: string }
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  readonly retentionDays: number
  /** The watched folder of source maps; null when there is none. */
  readonly sourceMapDir: string | null
  /** True if the console reports to this server's own project. */
  readonly isSelfMonitored: boolean
  /**
   * Tests only: requests carry their time of receipt in `x-afterimage-test-received-at` (ms).
   * Refused unless the host is a loopback address.
   */
  readonly hasTestClock: boolean
  readonly paths: {
    readonly queue: string
    readonly events: string
    readonly metadata: string
    readonly blobs: string
    /** Compiled source maps: a cache, which may be deleted at any time. */
    readonly compiledMaps: string
    readonly secret: string
    readonly lock: string
  }
}

/** The trust given to the `X-Forwarded-For` header. */
export type TrustProxy =
  | { readonly type: 'none' }
  | { readonly type: 'hops'; readonly count: number }
  | { readonly type: 'networks'; readonly cidrs: readonly string[] }

const RETENTION_DAYS = 90

/** @throws CONFIG_INVALID naming every setting that is wrong, all at once. */
export function readConfig(env: Env, workingDirectory: string): Config {
  const problems: string[] = env.unreadable.map((it) => `${it.variable}: cannot be read: ${it.why}`)
  const port = wholeNumber('PORT', env.port, 9000, 0, 65_535, problems)
  const host = env.host ?? '127.0.0.1'
  const dataDir = absolute(env.dataDir ?? './data', workingDirectory)
  const webUrl =
    env.webUrl === undefined ? null : httpUrl('AFTERIMAGE_WEB_URL', env.webUrl, problems)
  const config: Config = {
    port,
    host,
    dataDir,
    baseUrl:
      httpUrl('AFTERIMAGE_BASE_URL', env.baseUrl ?? `http://localhost:${port}`, problems) ?? '',
    owner: ownerOf(env, problems),
    secretKey: secretOf(env, problems),
    tunnelPath: tunnelPathOf(env.tunnelPath ?? '/monitoring', problems),
    trustProxy: trustProxyOf(env.trustProxy, problems),
    regions: regionsOf(env.regions, problems),
    web: webUrl === null ? { socketPath: join(dataDir, 'run', 'web.sock') } : { url: webUrl },
    logLevel: logLevelOf(env.logLevel, problems),
    retentionDays: wholeNumber(
      'AFTERIMAGE_RETENTION_DAYS',
      env.retentionDays,
      RETENTION_DAYS,
      1,
      3650,
      problems,
    ),
    sourceMapDir:
      env.sourceMapDir === undefined ? null : absolute(env.sourceMapDir, workingDirectory),
    isSelfMonitored: switchOf('AFTERIMAGE_SELF_MONITORING', env.selfMonitoring, true, problems),
    hasTestClock: testClockOf(env.testClock, host, problems),
    paths: {
      queue: storePath('AFTERIMAGE_QUEUE_URL', env.queueUrl, join(dataDir, 'queue'), problems),
      events: storePath(
        'AFTERIMAGE_EVENTS_URL',
        env.eventsUrl,
        join(dataDir, 'events.db'),
        problems,
      ),
      metadata: storePath(
        'AFTERIMAGE_METADATA_URL',
        env.metadataUrl,
        join(dataDir, 'metadata.db'),
        problems,
      ),
      blobs: storePath('AFTERIMAGE_BLOBS_URL', env.blobsUrl, join(dataDir, 'blobs'), problems),
      compiledMaps: join(dataDir, 'cache', 'source-maps'),
      secret: join(dataDir, 'secret-key'),
      lock: join(dataDir, 'lock'),
    },
  }
  if (problems.length > 0) {
    throw new AppError('CONFIG_INVALID', `These settings are wrong:\n  ${problems.join('\n  ')}`)
  }
  return config
}

function wholeNumber(
  name: string,
  value: string | undefined,
  fallback: number,
  least: number,
  most: number,
  problems: string[],
): number {
  if (value === undefined) return fallback
  const number = Number(value)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  problems.push(`${name}: "${value}" is not a whole number from ${least} to ${most}`)
  return fallback
}

function absolute(path: string, workingDirectory: string): string {
  return isAbsolute(path) ? path : resolve(workingDirectory, path)
}

function httpUrl(name: string, value: string, problems: string[]): string | null {
  if (URL.canParse(value)) {
    const url = new URL(value)
    if (url.protocol === 'http:' || url.protocol === 'https:') {
      return url.href.replace(/\/+$/, '')
    }
  }
  problems.push(`${name}: "${value}" is not an http:// or https:// address`)
  return null
}

function ownerOf(env: Env, problems: string[]): Config['owner'] {
  const { ownerEmail: email, ownerPassword: password } = env
  if (email === undefined && password === undefined) return null
  if (email === undefined || password === undefined) {
    problems.push('AFTERIMAGE_OWNER_EMAIL and AFTERIMAGE_OWNER_PASSWORD: give both or neither')
    return null
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    problems.push(`AFTERIMAGE_OWNER_EMAIL: "${email}" is not an email address`)
  }
  if (password.length < 8) {
    problems.push('AFTERIMAGE_OWNER_PASSWORD: a password has at least 8 characters')
  }
  return { email, password }
}

function secretOf(env: Env, problems: string[]): string | null {
  if (env.secretKey === undefined) return null
  if (env.secretKey.length < 32) {
    problems.push('AFTERIMAGE_SECRET_KEY: a secret has at least 32 characters')
  }
  return env.secretKey
}

function tunnelPathOf(value: string, problems: string[]): string {
  if (!/^\/[a-zA-Z0-9/_.-]*[a-zA-Z0-9_-]$/.test(value) || value.includes('//')) {
    problems.push(`AFTERIMAGE_TUNNEL_PATH: "${value}" is not a path like /monitoring`)
  } else if (/^\/(api|_next)(\/|$)/.test(value)) {
    problems.push(`AFTERIMAGE_TUNNEL_PATH: "${value}" is taken by the server itself`)
  }
  return value
}

function trustProxyOf(value: string | undefined, problems: string[]): TrustProxy {
  if (value === undefined || value === '0') return { type: 'none' }
  if (/^[1-9]\d?$/.test(value)) return { type: 'hops', count: Number(value) }
  const cidrs = value.split(',').map((part) => part.trim())
  for (const cidr of cidrs) {
    if (!isCidr(cidr)) {
      problems.push(
        `AFTERIMAGE_TRUST_PROXY: "${cidr}" is neither a number of proxies nor a network like 10.0.0.0/8`,
      )
    }
  }
  return { type: 'networks', cidrs }
}

function isCidr(value: string): boolean {
  const [address = '', bits, rest] = value.split('/')
  const family = isIP(address)
  if (family === 0 || rest !== undefined) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

function regionsOf(value: string | undefined, problems: string[]): Record<string, string> {
  const regions: Record<string, string> = {}
  if (value === undefined) return regions
  for (const part of value.split(',')) {
    const [name = '', ...rest] = part.trim().split('=')
    if (!/^[a-z0-9-]{1,32}$/.test(name)) {
      problems.push(`AFTERIMAGE_REGIONS: "${part.trim()}" is not of the form us=https://…`)
      continue
    }
    const url = httpUrl(`AFTERIMAGE_REGIONS (${name})`, rest.join('='), problems)
    if (url !== null) regions[name] = url
  }
  return regions
}

function logLevelOf(value: string | undefined, problems: string[]): Config['logLevel'] {
  if (value === undefined) return 'info'
  if (value === 'debug' || value === 'info' || value === 'warn' || value === 'error') return value
  problems.push(`AFTERIMAGE_LOG_LEVEL: "${value}" is not debug, info, warn or error`)
  return 'info'
}

function switchOf(
  name: string,
  value: string | undefined,
  fallback: boolean,
  problems: string[],
): boolean {
  if (value === undefined) return fallback
  if (value === 'on' || value === 'off') return value === 'on'
  problems.push(`${name}: "${value}" is neither on nor off`)
  return fallback
}

function testClockOf(value: string | undefined, host: string, problems: string[]): boolean {
  if (value === undefined || value === '0') return false
  if (host !== '127.0.0.1' && host !== '::1' && host !== 'localhost') {
    problems.push(`AFTERIMAGE_TEST_CLOCK: only on a loopback address, not on HOST "${host}"`)
  }
  return true
}

/** One URL a store, the scheme chooses the adapter; the embedded ones are `file:`. */
function storePath(
  name: string,
  value: string | undefined,
  fallback: string,
  problems: string[],
): string {
  if (value === undefined) return fallback
  if (URL.canParse(value)) {
    const url = new URL(value)
    if (url.protocol === 'file:' && url.host === '') return decodeURIComponent(url.pathname)
  }
  problems.push(`${name}: "${value}" has no adapter here; the embedded stores are file:///…`)
  return fallback
}
