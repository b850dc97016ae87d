/** Reports that browsers send by themselves: broken policies and certificates, network errors. */
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { createId } from '@afterimage/protocol/ids'
import { isJsonObject, parseJson } from '@afterimage/protocol/json'
import { isRefusal, refuse } from '@afterimage/protocol/outcome'
import { refusalAnswer, type Answer } from './answer.ts'
import { publishEnvelope, takeBody, type Arrival, type IngestContext } from './arrival.ts'
import { admitKey, type ProjectInPath } from './authenticate.ts'

const reportMediaTypes = new Set([
  'application/json',
  'application/csp-report',
  'application/expect-ct-report',
  'application/expect-ct-report+json',
  'application/expect-staple-report',
  'application/reports+json',
])

/** The Reporting API's type for a failed request, which is not a security report. */
const networkErrorType = 'network-error'

/**
 * Takes one report, or the list that the Reporting API sends: each report becomes an envelope of
 * its own, because each is an event of its own.
 */
export async function answerSecurity(
  context: IngestContext,
  arrival: Arrival,
  project: ProjectInPath,
  publicKey: string | null,
): Promise<Answer> {
  if (publicKey === null) {
    return refusalAnswer(refuse('missing_auth', 'the request names no key'))
  }
  const projectId = await admitKey(context.keys, publicKey, project)
  if (isRefusal(projectId)) return refusalAnswer(projectId)
  arrival.hold.key = publicKey
  const mediaType = (arrival.request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
  if (!reportMediaTypes.has(mediaType.toLowerCase())) {
    return refusalAnswer(
      refuse('unsupported_media_type', `"${mediaType}" is not the media type of a report`),
    )
  }
  const decodedBytesMax = context.limits.parsedBytesMax
  const body = await takeBody(context, arrival, { decodedBytesMax })
  if (!Buffer.isBuffer(body)) return body
  const reports = readReports(body)
  if (reports === null) return refusalAnswer(refuse('invalid_json', 'the report is not JSON'))
  if (reports.length > context.limits.reportsMax) {
    return refusalAnswer(
      refuse(
        'too_large',
        `${reports.length} reports in one request; ${context.limits.reportsMax} may be`,
      ),
    )
  }
  const envelopes = reports.map((report) => envelopeOf(report, arrival.query))
  await Promise.all(
    envelopes.map((bytes) => publishEnvelope(context, arrival, { projectId, publicKey }, bytes)),
  )
  return { status: 200, body: '' }
}

/** One report each: the object that was sent, or a list of one. Null when it is neither. */
function readReports(body: Buffer): unknown[] | null {
  const json = parseJson(body.toString('utf8'))
  if (isRefusal(json)) return null
  const { value } = json
  if (Array.isArray(value)) return value.map((report: unknown) => [report])
  return isJsonObject(value) ? [value] : null
}

function envelopeOf(report: unknown, query: URLSearchParams): Uint8Array {
  const release = query.get('sentry_release')
  const environment = query.get('sentry_environment')
  const isNetworkError =
    Array.isArray(report) && isJsonObject(report[0]) && report[0]['type'] === networkErrorType
  const header = {
    type: isNetworkError ? 'nel' : 'raw_security',
    content_type: 'application/json',
    ...(release !== null && { sentry_release: release }),
    ...(environment !== null && { sentry_environment: environment }),
  }
  return encodeEnvelope({ event_id: createId() }, [{ header, payload: JSON.stringify(report) }])
}
