import { readFileSync } from 'node:fs'

/** The settings, as the environment gives them: text, or undefined when absent. Nothing is decided here. */
export interface Env {
  readonly port: string | undefined
  readonly host: string | undefined
  readonly dataDir: string | undefined
  readonly baseUrl: string | undefined
  readonly ownerEmail: string | undefined
  readonly ownerPassword: string | undefined
  readonly secretKey: string | undefined
  readonly queueUrl: string | undefined
  readonly eventsUrl: string | undefined
  readonly metadataUrl: string | undefined
  readonly blobsUrl: string | undefined
  readonly tunnelPath: string | undefined
  readonly trustProxy: string | undefined
  readonly regions: string | undefined
  readonly webUrl: string | undefined
  readonly logLevel: string | undefined
  readonly retentionDays: string | undefined
  readonly selfMonitoring: string | undefined
  readonly sourceMapDir: string | undefined
  /** Set by tests only: the directory's clock is given with each request. */
  readonly testClock: string | undefined
  /** Secrets that were asked for in a file which cannot be read: variable, and why. */
  readonly unreadable: readonly { readonly variable: string; readonly why: string }[]
}

/** The only place that reads the process's environment. `variables` is `process.env` or a test's own. */
export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const unreadable: { variable: string; why: string }[] = []
  const text = (name: string): string | undefined => {
    const value = variables[name]?.trim()
    return value === '' ? undefined : value
  }
  const secret = (name: string): string | undefined => {
    const file = text(`${name}_FILE`)
    if (file === undefined) return text(name)
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      unreadable.push({ variable: `${name}_FILE`, why: (error as Error).message })
      return undefined
    }
  }
  return {
    port: text('PORT'),
    host: text('HOST'),
    dataDir: text('AFTERIMAGE_DATA_DIR'),
    baseUrl: text('AFTERIMAGE_BASE_URL'),
    ownerEmail: text('AFTERIMAGE_OWNER_EMAIL'),
    ownerPassword: secret('AFTERIMAGE_OWNER_PASSWORD'),
    secretKey: secret('AFTERIMAGE_SECRET_KEY'),
    queueUrl: secret('AFTERIMAGE_QUEUE_URL'),
    eventsUrl: secret('AFTERIMAGE_EVENTS_URL'),
    metadataUrl: secret('AFTERIMAGE_METADATA_URL'),
    blobsUrl: secret('AFTERIMAGE_BLOBS_URL'),
    tunnelPath: text('AFTERIMAGE_TUNNEL_PATH'),
    trustProxy: text('AFTERIMAGE_TRUST_PROXY'),
    regions: text('AFTERIMAGE_REGIONS'),
    webUrl: text('AFTERIMAGE_WEB_URL'),
    logLevel: text('AFTERIMAGE_LOG_LEVEL'),
    retentionDays: text('AFTERIMAGE_RETENTION_DAYS'),
    sourceMapDir: text('AFTERIMAGE_SOURCEMAP_DIR'),
    selfMonitoring: text('AFTERIMAGE_SELF_MONITORING'),
    testClock: text('AFTERIMAGE_TEST_CLOCK'),
    unreadable,
  }
}
