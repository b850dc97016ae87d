import { warn } from './debug.ts'
import type { Options } from './options.ts'

// oxlint-disable-next-line no-underscore-dangle -- bundlers define it by this name
declare const __AFTERIMAGE_DEBUG__: boolean | undefined

/** Every option of `init`. */
const known: Readonly<Record<keyof Options, true>> = {
  dsn: true,
  enabled: true,
  tunnel: true,
  tunnelPath: true,
  region: true,
  release: true,
  environment: true,
  dist: true,
  initialScope: true,
  normalizeDepth: true,
  sampleRate: true,
  maxBreadcrumbs: true,
  beforeSend: true,
  beforeSendTransaction: true,
  beforeBreadcrumb: true,
  ignoreErrors: true,
  denyUrls: true,
  allowUrls: true,
  keepQuery: true,
  secretPaths: true,
  unmask: true,
  integrations: true,
  tracesSampleRate: true,
  tracesSampler: true,
  tracePropagationTargets: true,
  propagateTraceparent: true,
  ignoreTransactions: true,
  beforeSendSpan: true,
  replaysSessionSampleRate: true,
  replaysOnErrorSampleRate: true,
}

const warned = new Set<string>()

/**
 * Warns, in development and once for each, of options without effect, such as those of other
 * clients.
 */
export function warnOfUnknown(options: object): void {
  if (typeof __AFTERIMAGE_DEBUG__ === 'undefined' || __AFTERIMAGE_DEBUG__) {
    for (const name of Object.keys(options)) {
      if (Object.hasOwn(known, name) || warned.has(name)) continue
      warned.add(name)
      warn(`the option \`${name}\` is not known and has no effect.`)
    }
  }
}
