'use client'

import { parseDsn } from '@afterimage/protocol/dsn'
import { envelopeAddress } from '@afterimage/sdk-core/envelope-address'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { createId } from '@afterimage/protocol/ids'
import type { SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import { sendApi } from './browser.ts'

/** Through the application's own host, or straight to the server that the DSN names. */
export type Way = 'tunnel' | 'direct'

/** The verdict on one envelope, as `features/tunnel-test` draws it. */
export type Verdict =
  | { readonly type: 'arrived'; readonly ms: number }
  | { readonly type: 'unseen'; readonly waitedMs: number }
  | { readonly type: 'refused'; readonly status: number; readonly detail: string }
  | { readonly type: 'foreign'; readonly status: number }
  | { readonly type: 'blocked'; readonly by: Blocker }

type Blocker = 'policy' | 'mixed' | 'offline' | 'filter' | 'unreachable'

/** Time in which an accepted envelope is looked for, and the interval of looking. */
const SEEN_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 300
/** Neither an answer nor a failure by then: nobody is going to answer. */
const ANSWER_WITHIN_MS = 10_000
/** A policy violation is reported a moment after the request has failed. */
const VIOLATION_WITHIN_MS = 200

/** Absolute address of one way; null when the DSN is not valid. */
export function addressOf(way: Way, self: SelfMonitoring): string | null {
  const dsn = parseDsn(self.dsn)
  if (dsn === null) return null
  const { tunnelPath } = self
  const path = envelopeAddress(dsn, { dsn: self.dsn, tunnelPath, tunnel: way === 'tunnel' })
  return new URL(path, location.origin).href
}

/** Sends one envelope and waits until the API shows it, or until it is known what became of it. */
export async function testWay(way: Way, self: SelfMonitoring): Promise<Verdict> {
  const address = addressOf(way, self)
  if (address === null) return { type: 'blocked', by: 'unreachable' }
  const startedAt = performance.now()
  const eventId = createId()
  const watch = watchPolicy(address)
  let response: Response
  try {
    response = await fetch(address, {
      method: 'POST',
      body: envelopeOf(eventId, way, self),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
  } catch {
    return { type: 'blocked', by: await blockerOf(address, watch.isViolated) }
  } finally {
    watch.stop()
  }
  const answer = await readAnswer(response)
  if (!response.ok) {
    const isOurs = answer !== null
    if (response.type === 'opaqueredirect') return { type: 'foreign', status: 0 }
    return isOurs || response.status >= 400
      ? { type: 'refused', status: response.status, detail: answer?.detail ?? '' }
      : { type: 'foreign', status: response.status }
  }
  if (answer?.id !== eventId) return { type: 'foreign', status: response.status }
  return look(eventId, startedAt)
}

function envelopeOf(eventId: string, way: Way, self: SelfMonitoring): Uint8Array<ArrayBuffer> {
  const { dsn, release, environment } = self
  const payload = JSON.stringify({
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'info',
    message: 'Somebody tested whether the tunnel works',
    fingerprint: ['afterimage', 'tunnel-test'],
    tags: { way },
    release,
    environment,
  })
  const items = [{ header: { type: 'event' }, payload }]
  return encodeEnvelope({ event_id: eventId, dsn, sent_at: new Date() }, items)
}

/** Reads the answer of this server's ingest: an id or a reason; null when it is neither. */
async function readAnswer(
  response: Response,
): Promise<{ readonly id?: unknown; readonly detail: string } | null> {
  try {
    const body: unknown = await response.json()
    if (typeof body !== 'object' || body === null) return null
    const { id, detail } = body as { readonly id?: unknown; readonly detail?: unknown }
    return { id, detail: typeof detail === 'string' ? detail.slice(0, 500) : '' }
  } catch {
    return null
  }
}

async function look(eventId: string, startedAt: number): Promise<Verdict> {
  for (;;) {
    const found = await sendApi(`/api/0/organizations/main/eventids/${eventId}/`)
    const ms = performance.now() - startedAt
    if (found.isOk) return { type: 'arrived', ms }
    if (ms > SEEN_WITHIN_MS) return { type: 'unseen', waitedMs: ms }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Browsers tell of a violated policy beside the failure, which alone says nothing. */
function watchPolicy(address: string): { isViolated(): boolean; stop(): void } {
  let isViolated = false
  const onViolation = (event: SecurityPolicyViolationEvent): void => {
    // Browsers report only the origin of foreign addresses.
    const { effectiveDirective, blockedURI } = event
    if (effectiveDirective === 'connect-src' && address.startsWith(blockedURI)) isViolated = true
  }
  document.addEventListener('securitypolicyviolation', onViolation)
  return {
    isViolated: () => isViolated,
    stop: () => document.removeEventListener('securitypolicyviolation', onViolation),
  }
}

/** Finds why a request failed, which browsers hide, by a harmless request to the same host. */
async function blockerOf(address: string, isViolated: () => boolean): Promise<Blocker> {
  await new Promise((resolve) => setTimeout(resolve, VIOLATION_WITHIN_MS))
  if (isViolated()) return 'policy'
  if (!navigator.onLine) return 'offline'
  const { protocol, origin } = new URL(address)
  if (protocol === 'http:' && location.protocol === 'https:') return 'mixed'
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(`${origin}/healthz`, { mode: 'no-cors', cache: 'no-store', signal })
    await answer.arrayBuffer()
    return 'filter'
  } catch {
    return 'unreachable'
  }
}
