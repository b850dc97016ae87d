import { type RefusalReason, refusalReasons } from '@afterimage/protocol/outcome'
import type { Delivery } from '../storage/queue/port.ts'

/** Requests that named a project and were refused for their key, counted by the front door. */
export interface RefusedRequests {
  readonly projectId: number
  readonly reason: RefusalReason
  readonly count: number
}

/**
 * Writes the counts as a delivery of their project, so that they become outcomes like everything else.
 * No key authenticated it: a delivery without a key is the front door's own.
 */
export function refusedRequestsDelivery(refused: RefusedRequests, receivedAt: number): Delivery {
  const { projectId, reason, count } = refused
  return {
    receivedAt,
    projectId,
    keyId: '',
    remoteAddress: null,
    userAgent: null,
    bytes: Buffer.from(JSON.stringify({ reason, count })),
  }
}

/** Reads what `refusedRequestsDelivery` wrote; null for the envelopes of clients. */
export function readRefusedRequests(delivery: Delivery): RefusedRequests | null {
  if (delivery.keyId !== '') return null
  const { reason, count } = JSON.parse(Buffer.from(delivery.bytes).toString('utf8')) as {
    readonly reason: unknown
    readonly count: unknown
  }
  const known = refusalReasons.find((one) => one === reason)
  if (known === undefined || typeof count !== 'number') return null
  return { projectId: delivery.projectId, reason: known, count }
}
