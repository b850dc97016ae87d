import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { createApi } from '../api/index.ts'
import type { Config } from '../config.ts'
import { applyOutbox } from '../outbox/apply-outbox.ts'
import { createProject } from '../projects/projects.ts'
import { applyRemovals } from '../retention/removals.ts'
import type { Blobs } from '../storage/blobs/port.ts'
import type { Effect, EventStore, IssueEffect, ProcessedItem } from '../storage/events/port.ts'
import { assembleUploads } from '../source-maps/assemble.ts'
import { openSqliteEvents } from '../storage/events/sqlite/index.ts'
import { type TableName, tables, type Row } from '../storage/events/tables.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { createToken } from '../auth/tokens.ts'
import { type Auth, createAuth } from '../auth/sign-in.ts'
import { seedOwner } from '../auth/owner.ts'
import { issueEffect } from './outbox-store.ts'

export const testOwner = { email: 'ada@example.com', password: 'correct horse battery' }
export const testOrigin = 'http://localhost:9000'

/** 2026-03-01T12:00:00Z */
export const testNow = Date.UTC(2026, 2, 1, 12)

/** The API on real stores in a folder of its own, with a clock that stands still. */
export interface ApiServer {
  readonly metadata: SqliteMetadata
  readonly events: EventStore
  readonly blobs: Blobs
  readonly auth: Auth
  /** The API itself. */
  readonly handle: (request: Request) => Promise<Response>
  /** Sends a request with the token, unless other headers are given. */
  ask(path: string, init?: AskInit): Promise<Response>
  /** Returns the JSON of a successful answer. */
  json<T>(path: string, init?: AskInit): Promise<T>
  /** Returns a cookie of the owner, who is created by the first call. */
  signIn(): Promise<{ readonly cookie: string; readonly origin: string }>
  /** Stores items as one envelope of project 1, received at `receivedAt`, and applies the outbox. */
  store(
    items: readonly Partial<ProcessedItem>[],
    at?: { readonly receivedAt?: number; readonly projectId?: number },
  ): Promise<void>
  applyRemovals(): Promise<number>
  /** Takes in the archives that were uploaded. */
  assembleUploads(): Promise<number>
  close(): Promise<void>
}

export interface AskInit {
  readonly method?: string
  /** A text or a form is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export async function openApiServer(): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'api-'))
  const metadata = await openSqliteMetadata({ file: join(folder, 'metadata.db') })
  const events = await openSqliteEvents({ file: join(folder, 'events.db'), mode: 'writer' })
  const blobs = memoryBlobs()
  const config = {
    baseUrl: testOrigin,
    tunnelPath: '/monitoring',
    secretKey: 's'.repeat(32),
  } as Pick<Config, 'baseUrl' | 'secretKey' | 'paths' | 'tunnelPath'>
  const auth = createAuth({ config, metadata })
  const stores = { metadata, events, blobs }
  const secretKey = 's'.repeat(32)
  const api = createApi({ ...stores, auth, config, secretKey, now: () => testNow })
  await createProject(metadata, config, { slug: 'store', name: 'Store', platform: 'javascript' })
  const token = await createToken(metadata, { name: 'test' })
  let envelopes = 0
  const ask = (path: string, init: AskInit = {}): Promise<Response> =>
    api(
      new Request(`${testOrigin}${path.startsWith('/api/') ? path : `/api/0${path}`}`, {
        method: init.method ?? 'GET',
        headers: init.headers ?? { authorization: `Bearer ${token}` },
        ...(init.body === undefined
          ? {}
          : { body: isSentAsIs(init.body) ? init.body : JSON.stringify(init.body) }),
      }),
    )
  return {
    metadata,
    events,
    blobs,
    auth,
    handle: api,
    ask,
    json: async (path, init) => {
      const response = await ask(path, init)
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    },
    signIn: () => signInOwner(metadata, auth),
    store: async (items, { receivedAt = testNow, projectId = 1 } = {}) => {
      envelopes += 1
      const whole = items.map((item) => ({
        type: 'event',
        quantity: 1,
        rows: [],
        blobs: [],
        effects: [],
        refusal: null,
        ...item,
      }))
      for (const blob of whole.flatMap((item) => item.blobs)) await blobs.put(blob.key, blob.bytes)
      const envelope = { deliveryId: `d${envelopes}`, projectId, receivedAt, items: whole }
      await events.append([envelope])
      await applyOutbox(metadata, events)
    },
    assembleUploads: () => assembleUploads({ metadata, blobs }, { now: () => testNow }),
    applyRemovals: () => applyRemovals({ metadata, events, blobs }),
    close: async () => {
      await events.close()
      await metadata.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function signInOwner(metadata: SqliteMetadata, auth: Auth) {
  await seedOwner(metadata, testOwner)
  const response = await auth.signIn({ ...testOwner, headers: new Headers() })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, origin: testOrigin }
}

function isSentAsIs(body: unknown): body is string | FormData {
  return typeof body === 'string' || body instanceof FormData
}

/** Returns 32 hex digits that end in a number. */
export function hexId(number: number): string {
  return number.toString(16).padStart(32, '0')
}

/** Makes a row of any table; columns that are not given are null. */
export function row<N extends TableName>(
  table: N,
  timestamp: number,
  columns: Readonly<Record<string, string | number | null>>,
  more: { readonly tags?: Readonly<Record<string, string>>; readonly payload?: unknown } = {},
): Row {
  const empty = Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null]))
  return {
    table,
    timestamp,
    columns: { ...empty, ...columns },
    ...(more.tags === undefined ? {} : { tags: more.tags }),
    ...(more.payload === undefined ? {} : { payload: JSON.stringify(more.payload) }),
  } as unknown as Row
}

/** Makes an error event as `process` would pass it on: the row, and its effect on the issue. */
export function errorItem(
  number: number,
  fields: Partial<IssueEffect> & {
    readonly columns?: Readonly<Record<string, string | number | null>>
    readonly tags?: Readonly<Record<string, string>>
    readonly event?: Partial<NormalizedEvent>
  } = {},
): ProcessedItem {
  const { columns, tags = {}, event = {}, ...effectFields } = fields
  const eventId = hexId(number)
  const effect = issueEffect({ timestamp: testNow - 1000, eventId, ...effectFields })
  const payload: NormalizedEvent = {
    event_id: eventId,
    type: 'error',
    timestamp: effect.timestamp,
    client_timestamp: effect.timestamp,
    received: testNow,
    platform: effect.platform,
    level: 'error',
    tags,
    contexts: {},
    exception: [{ type: 'TypeError', value: 'x is not a function' }],
    ...event,
  }
  const stored = row(
    'errors',
    effect.timestamp,
    {
      eventId,
      type: effect.kind,
      groupingHash: effect.hashes[0] ?? null,
      level: effect.level,
      title: effect.title,
      culprit: effect.culprit,
      message: `${effect.title} ${effect.culprit}`,
      platform: effect.platform,
      release: effect.release,
      environment: effect.environment,
      clientTimestamp: effect.timestamp,
      ...columns,
    },
    { tags: { ...tagsOfColumns({ ...effect, ...columns }), ...tags }, payload },
  )
  const { release, environment, timestamp } = effect
  const effects: Effect[] = [effect, { type: 'release', release, environment, timestamp }]
  return {
    type: 'event',
    quantity: 1,
    rows: [stored],
    blobs: [],
    effects,
    refusal: null,
  }
}

/** Makes the tags that `process` derives from these columns, so that they can be counted. */
function tagsOfColumns(of: Readonly<Record<string, unknown>>): Record<string, string> {
  const fields = ['browser', 'os', 'release', 'environment', 'level', 'transaction', 'url'] as const
  const named = [...fields.map((name) => [name, of[name]] as const), ['user', of['userKey']]]
  return Object.fromEntries(named.filter(([, value]) => typeof value === 'string'))
}

function memoryBlobs(): Blobs {
  const kept = new Map<string, Uint8Array>()
  return {
    put: async (key, body) => {
      kept.set(key, new Uint8Array(await new Response(body as BodyInit).arrayBuffer()))
    },
    get: async (key) => {
      const bytes = kept.get(key)
      if (bytes === undefined) return null
      const { body } = new Response(bytes as BodyInit)
      return body === null ? null : { bytes: bytes.byteLength, body }
    },
    delete: async (key) => {
      kept.delete(key)
    },
    list: async function* (prefix) {
      for (const [key, bytes] of [...kept].sort()) {
        if (key.startsWith(prefix)) yield { key, bytes: bytes.byteLength }
      }
    },
    close: async () => {},
  }
}
