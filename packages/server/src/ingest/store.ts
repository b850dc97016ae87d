/**
 * The endpoint of SDKs from before envelopes: one event, as JSON or base64 of it, deflated or not.
 * The event is put into an envelope unread, but for its id and type.
 */
import { inflate } from 'node:zlib'
import { promisify } from 'node:util'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { createId, normalizeEventId } from '@afterimage/protocol/ids'
import { isJsonObject, parseJson } from '@afterimage/protocol/json'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import { acceptedAnswer, refusalAnswer, type Answer } from './answer.ts'
import { publishEnvelope, takeBody, type Arrival, type IngestContext } from './arrival.ts'
import { admitKey, type ProjectInPath } from './authenticate.ts'
import { answerEnvelope } from './envelope.ts'

const inflateAsync = promisify(inflate)

/** A transparent pixel: the oldest browser SDK sends an event as the address of an image. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export async function answerStore(
  context: IngestContext,
  arrival: Arrival,
  project: ProjectInPath,
  publicKey: string | null,
): Promise<Answer> {
  const { request, query } = arrival
  if (/^application\/x-sentry-envelope\b/i.test(request.headers['content-type'] ?? '')) {
    return answerEnvelope(context, arrival, project, publicKey)
  }
  if (publicKey === null) {
    return refusalAnswer(refuse('missing_auth', 'the request names no key'))
  }
  const projectId = await admitKey(context.keys, publicKey, project)
  if (isRefusal(projectId)) return refusalAnswer(projectId)
  arrival.hold.key = publicKey
  const isImage = request.method === 'GET'
  const body = isImage
    ? Buffer.from((query.get('sentry_data') ?? '').replaceAll(' ', '+'))
    : await takeBody(context, arrival, { decodedBytesMax: context.limits.parsedBytesMax })
  if (!Buffer.isBuffer(body)) return body
  const event = await decodeStoreBody(body, context.limits.parsedBytesMax)
  if (isRefusal(event)) return refusalAnswer(event)
  const bytes = encodeEnvelope({ event_id: event.eventId }, [
    { header: { type: event.type }, payload: event.payload },
  ])
  await publishEnvelope(context, arrival, { projectId, publicKey }, bytes)
  if (isImage) return { status: 200, body: pixel, contentType: 'image/gif' }
  return acceptedAnswer(event.eventId)
}

interface StoredEvent {
  readonly eventId: string
  readonly type: 'event' | 'transaction'
  /** JSON in UTF-8. */
  readonly payload: Uint8Array
}

/** Tells the encodings apart by trying: a body that does not begin like JSON is base64. */
export async function decodeStoreBody(
  body: Buffer,
  bytesMax: number,
): Promise<StoredEvent | Refusal> {
  const text = body.toString('utf8').trim()
  if (text === '') return refuse('empty_body', 'the body has no bytes')
  if (text.startsWith('{')) return readEvent(text)
  const decoded = Buffer.from(text, 'base64')
  const inflated = await inflateAtMost(decoded, bytesMax)
  if (isRefusal(inflated)) return inflated
  return readEvent((inflated ?? decoded).toString('utf8').trim())
}

/** Null when it is not deflated. */
async function inflateAtMost(bytes: Buffer, bytesMax: number): Promise<Buffer | null | Refusal> {
  try {
    return await inflateAsync(bytes, { maxOutputLength: bytesMax })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return null
    return refuse('too_large', `the event is larger than ${bytesMax} bytes`)
  }
}

function readEvent(text: string): StoredEvent | Refusal {
  const json = parseJson(text)
  if (isRefusal(json)) return json
  const event = json.value
  if (!isJsonObject(event)) return refuse('invalid_json', 'the event is not a JSON object')
  const { event_id: given, type } = event
  const eventId = normalizeEventId(given)
  if (given !== undefined && given !== null && eventId === null) {
    return refuse('invalid_event_id', `event_id ${JSON.stringify(given)} is not a UUID`)
  }
  return {
    eventId: eventId ?? createId(),
    type: type === 'transaction' ? 'transaction' : 'event',
    payload: Buffer.from(JSON.stringify(event)),
  }
}
