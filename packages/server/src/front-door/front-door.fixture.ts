/** The real front door on a free port, with a queue in memory: for the tests of this folder. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { isRefusal } from '@afterimage/protocol/outcome'
import { decodeEnvelope, type Envelope } from '@afterimage/protocol/envelope'
import type { Delivery, QueueWriter } from '../storage/queue/port.ts'
import type { FrontDoorLimits } from './limits.ts'
import type { KnownKey, ProjectKeys } from '../ingest/project-keys.ts'
import { createIngestServer, type IngestDependencies, type IngestSettings } from './server.ts'

export const key = 'a'.repeat(32)
export const otherKey = 'b'.repeat(32)
export const disabledKey = 'c'.repeat(32)
export const apiToken = 'ait_0'

export interface FrontDoorUnderTest {
  readonly url: string
  readonly port: number
  readonly deliveries: Delivery[]
  /** The last envelope that was published. */
  lastEnvelope(): Envelope
  send(path: string, options?: SendOptions): Promise<Received>
  close(): Promise<void>
}

export interface SendOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

const settings: IngestSettings = {
  baseUrl: 'http://localhost:9000',
  tunnelPath: '/monitoring',
  regions: {},
  trustProxy: { type: 'none' },
  web: { url: 'http://127.0.0.1:9' },
  hasTestClock: false,
}

/** The keys of tests that bring no others. */
const knownKeys: Readonly<Record<string, KnownKey>> = {
  [key]: { projectId: 42, isActive: true },
  [otherKey]: { projectId: 43, isActive: true },
  [disabledKey]: { projectId: 42, isActive: false },
}

export async function startFrontDoor(
  options: {
    readonly settings?: Partial<IngestSettings>
    readonly limits?: Partial<FrontDoorLimits>
    readonly keys?: Readonly<Record<string, KnownKey>>
    /** Keys of a store, which are learned, in place of `keys`. */
    readonly storedKeys?: ProjectKeys
    readonly settingsOf?: IngestDependencies['settingsOf']
    readonly publish?: (delivery: Delivery) => Promise<void>
    readonly check?: () => Promise<void>
    readonly log?: IngestDependencies['log']
  } = {},
): Promise<FrontDoorUnderTest> {
  const deliveries: Delivery[] = []
  const publish =
    options.publish ??
    (async (delivery: Delivery): Promise<void> => {
      deliveries.push(delivery)
    })
  const server = createIngestServer(
    {
      queue: queueOf(publish, options.check ?? (async () => {})),
      keys: options.storedKeys ?? fixedKeys(options.keys ?? knownKeys),
      settingsOf: options.settingsOf ?? (async () => '{}'),
      rightsOf: async (secret) => (secret === apiToken ? ['metrics'] : null),
      log: options.log ?? {
        warn: () => {},
        error: (...entry: unknown[]) => console.error(...entry),
      },
      limits: { stopMs: 500, ...options.limits },
    },
    { ...settings, ...options.settings },
  )
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    deliveries,
    lastEnvelope: () => {
      const envelope = decodeEnvelope(deliveries.at(-1)?.bytes ?? new Uint8Array())
      if (isRefusal(envelope)) throw new Error(envelope.detail)
      return envelope
    },
    send: (path, request) => send(port, path, request),
    close: () => server.close(),
  }
}

function fixedKeys(keys: Readonly<Record<string, KnownKey>>): ProjectKeys {
  return {
    find: (publicKey) => keys[publicKey] ?? null,
    hasProject: (id) => Object.values(keys).some((key) => key.projectId === id),
    learn: () => null,
  }
}

function queueOf(publish: QueueWriter['publish'], check: QueueWriter['check']): QueueWriter {
  return {
    publish,
    check,
    stats: async () => ({ waiting: 0, waitingBytes: 0, oldestReceivedAt: null, setAside: 0 }),
    close: async () => {},
  }
}

/** Sends exactly the headers that are given; `fetch` would add its own. */
export function send(port: number, path: string, options: SendOptions = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', path, method: options.method ?? 'POST', agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          const { statusCode: status = 0, headers } = response
          resolve({ status, headers, body, text: body.toString() })
        })
        response.on('error', reject)
      },
    )
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      request.setHeader(name, value)
    }
    request.on('error', reject)
    request.end(options.body)
  })
}

/** An envelope with one event. */
export function eventEnvelope(header: Record<string, unknown> = {}): string {
  return `${JSON.stringify(header)}\n{"type":"event"}\n{"message":"hello"}`
}

export const dsn = `http://${key}@sentry.invalid/42`
