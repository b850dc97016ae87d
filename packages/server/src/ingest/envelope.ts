import { dsnExpected, parseDsn, type Dsn } from '@afterimage/protocol/dsn'
import {
  decodeEnvelope,
  decodeEnvelopeHeader,
  type EnvelopeHeader,
} from '@afterimage/protocol/envelope'
import { checkEventCount } from '@afterimage/protocol/envelope-limits'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import { acceptedAnswer, refusalAnswer, type Answer } from './answer.ts'
import {
  publishEnvelope,
  takeBody,
  type Arrival,
  type IngestContext,
  type Sender,
} from './arrival.ts'
import { admitKey, checkKey, type ProjectInPath } from './authenticate.ts'
import { ensureEventId } from './event-id.ts'
import { answerRegion, regionOf } from './region.ts'

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
  if (publicKey === null) {
    const sent = await takeSignedBody(context, arrival, (dsn) => senderOf(context, dsn, project))
    return 'sender' in sent ? acceptEnvelope(context, arrival, sent.sender, sent.body) : sent
  }
  const projectId = await admitKey(context.keys, publicKey, project)
  if (isRefusal(projectId)) return refusalAnswer(projectId)
  arrival.hold.key = publicKey
  const body = await takeBody(context, arrival)
  if (!Buffer.isBuffer(body)) return body
  return acceptEnvelope(context, arrival, { publicKey, projectId }, body)
}

/**
 * Takes an envelope at the tunnel: the DSN in its header decides. `o` is only a label; a `p` must
 * be the DSN's project. Envelopes of known keys for a configured region are forwarded to its
 * configured address and nowhere else: the host that a DSN names is never contacted.
 */
export async function answerTunnel(context: IngestContext, arrival: Arrival): Promise<Answer> {
  const named = arrival.query.get('p')
  const sent = await takeSignedBody(context, arrival, (dsn) =>
    named === null || named === '' || named === String(dsn.projectId)
      ? senderOf(context, dsn, 'any')
      : notOfProject(named.slice(0, 32)),
  )
  if (!('sender' in sent)) return sent
  const { sender, body } = sent
  const address = regionOf(context.regions, arrival.query.get('r'))
  if (address === null) return acceptEnvelope(context, arrival, sender, body)
  return answerRegion(context, arrival, { address, projectId: sender.projectId, body })
}

interface SignedBody {
  readonly sender: Sender
  readonly body: Buffer
}

/** Reads a body whose first line says who sends it, and no further than that for a stranger. */
async function takeSignedBody(
  context: IngestContext,
  arrival: Arrival,
  judge: (dsn: Dsn) => Sender | Refusal,
): Promise<SignedBody | Answer> {
  let sender: Sender | Refusal | null = null
  const decide = (dsn: Dsn): Refusal | null => {
    sender = judge(dsn)
    if (isRefusal(sender)) {
      context.refusedKeys.note(dsn.projectId, sender.reason)
      return sender
    }
    arrival.hold.key = sender.publicKey
    return null
  }
  const inspect = (beginning: Buffer): Refusal | null | Promise<Refusal | null> => {
    const dsn = dsnOf(decodeEnvelopeHeader(beginning))
    if (isRefusal(dsn)) return dsn
    const learning = context.keys.learn(dsn.publicKey)
    return learning === null ? decide(dsn) : learning.then(() => decide(dsn))
  }
  const body = await takeBody(context, arrival, { inspect })
  if (!Buffer.isBuffer(body)) return body
  if (sender === null) throw new Error('the body was read but not inspected')
  return { sender, body }
}

/** Frames an envelope whose sender is known, and answers when it is on disk. */
async function acceptEnvelope(
  context: IngestContext,
  arrival: Arrival,
  sender: Sender,
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
function checkDsn(header: EnvelopeHeader, sender: Sender): Refusal | null {
  if (header.dsn === undefined) return null
  const dsn = readDsn(header.dsn)
  if (isRefusal(dsn)) return dsn
  if (dsn.publicKey !== sender.publicKey) {
    return refuse('dsn_mismatch', 'the public key of the header dsn is not that of the request')
  }
  if (dsn.projectId !== sender.projectId) {
    return refuse('dsn_mismatch', `the header dsn names project ${dsn.projectId}`)
  }
  return null
}

function senderOf(context: IngestContext, dsn: Dsn, project: ProjectInPath): Sender | Refusal {
  const projectId = checkKey(context.keys, dsn.publicKey, project)
  if (isRefusal(projectId)) return projectId
  if (dsn.projectId !== projectId) return notOfProject(dsn.projectId)
  return { publicKey: dsn.publicKey, projectId }
}

function notOfProject(project: number | string): Refusal {
  return refuse(
    'unknown_project',
    `event submission rejected with_reason: this key is not of project ${project}`,
  )
}

function dsnOf(header: EnvelopeHeader | Refusal): Dsn | Refusal {
  if (isRefusal(header)) return header
  if (header.dsn === undefined) {
    return refuse('missing_auth', 'neither the request nor the envelope header names a key')
  }
  return readDsn(header.dsn)
}

function readDsn(text: string): Dsn | Refusal {
  return parseDsn(text) ?? refuse('invalid_dsn', dsnExpected)
}
