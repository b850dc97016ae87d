import { parseDsn, type Dsn } from '@afterimage/protocol/dsn'
import {
  decodeEnvelope,
  decodeEnvelopeHeader,
  type EnvelopeHeader,
} from '@afterimage/protocol/envelope'
import { checkEventCount } from '@afterimage/protocol/envelope-limits'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import { acceptedAnswer, refusalAnswer, type Answer } from './answer.ts'
import { publishEnvelope, takeBody, type Arrival, type IngestContext } from './arrival.ts'
import { admitKey } from './authenticate.ts'
import { ensureEventId } from './event-id.ts'
import { answerRegion, regionOf } from './region.ts'
import type { ProjectInPath } from './routes.ts'

/**
 * Takes an envelope that was posted directly. Without a key in the request the DSN in the
 * envelope's own header authenticates it: that is how the rewrite of a framework sends.
 */
export async function answerEnvelope(
  context: IngestContext,
  arrival: Arrival,
  project: ProjectInPath,
  publicKey: string | null,
): Promise<Answer> {
  if (publicKey !== null) {
    const projectId = admitKey(context.keys, publicKey, project)
    if (isRefusal(projectId)) return refusalAnswer(projectId)
    const body = await takeBody(context, arrival)
    if (!Buffer.isBuffer(body)) return body
    return acceptEnvelope(context, arrival, { publicKey, projectId }, body)
  }
  const inspect = (beginning: Buffer): Refusal | null => {
    const sender = senderOf(context, beginning, project)
    return isRefusal(sender) ? sender : null
  }
  const body = await takeBody(context, arrival, { inspect })
  if (!Buffer.isBuffer(body)) return body
  const sender = senderOf(context, body, project)
  if (isRefusal(sender)) return refusalAnswer(sender)
  return acceptEnvelope(context, arrival, sender, body)
}

/**
 * Takes an envelope at the tunnel: the DSN in its header decides, `o` and `p` only label it. A
 * region that is configured is asked instead, at its configured address and nowhere else: the host
 * that a DSN names is never contacted.
 */
export async function answerTunnel(context: IngestContext, arrival: Arrival): Promise<Answer> {
  const region = regionOf(context.regions, arrival.query.get('r'))
  if (region === null) return answerEnvelope(context, arrival, 'any', null)
  const inspect = (beginning: Buffer): Refusal | null => {
    const dsn = dsnOf(decodeEnvelopeHeader(beginning))
    return isRefusal(dsn) ? dsn : null
  }
  const body = await takeBody(context, arrival, { inspect })
  if (!Buffer.isBuffer(body)) return body
  const dsn = dsnOf(decodeEnvelopeHeader(body))
  if (isRefusal(dsn)) return refusalAnswer(dsn)
  return answerRegion(context, arrival, { address: region, projectId: dsn.projectId, body })
}

/** Frames an envelope whose sender is known, and answers when it is on disk. */
async function acceptEnvelope(
  context: IngestContext,
  arrival: Arrival,
  sender: { readonly publicKey: string; readonly projectId: number },
  body: Buffer,
): Promise<Answer> {
  const envelope = decodeEnvelope(body)
  if (isRefusal(envelope)) return refusalAnswer(envelope)
  const mismatch = checkDsn(envelope.header, sender)
  if (mismatch !== null) return refusalAnswer(mismatch)
  const surplus = checkEventCount(envelope)
  if (surplus !== null) return refusalAnswer(surplus)
  const { eventId, bytes } = ensureEventId(envelope, body)
  if (envelope.items.length > 0) await publishEnvelope(context, arrival, sender, bytes)
  return acceptedAnswer(eventId)
}

/** A DSN in the header must name the key and the project that the request was authenticated with. */
function checkDsn(
  header: EnvelopeHeader,
  sender: { readonly publicKey: string; readonly projectId: number },
): Refusal | null {
  if (header.dsn === undefined) return null
  const dsn = parseDsn(header.dsn)
  if (isRefusal(dsn)) return dsn
  if (dsn.publicKey !== sender.publicKey) {
    return refuse('dsn_mismatch', 'the public key of the header dsn is not that of the request')
  }
  if (dsn.projectId !== sender.projectId) {
    return refuse('dsn_mismatch', `the header dsn names project ${dsn.projectId}`)
  }
  return null
}

function senderOf(
  context: IngestContext,
  beginning: Buffer,
  project: ProjectInPath,
): { readonly publicKey: string; readonly projectId: number } | Refusal {
  const dsn = dsnOf(decodeEnvelopeHeader(beginning))
  if (isRefusal(dsn)) return dsn
  const projectId = admitKey(context.keys, dsn.publicKey, project)
  if (isRefusal(projectId)) return projectId
  if (dsn.projectId !== projectId) {
    return refuse(
      'unknown_project',
      `event submission rejected with_reason: this key is not of project ${dsn.projectId}`,
    )
  }
  return { publicKey: dsn.publicKey, projectId }
}

function dsnOf(header: EnvelopeHeader | Refusal): Dsn | Refusal {
  if (isRefusal(header)) return header
  if (header.dsn === undefined) {
    return refuse('missing_auth', 'neither the request nor the envelope header names a key')
  }
  return parseDsn(header.dsn)
}
