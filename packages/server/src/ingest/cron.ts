/** Check-ins of jobs that have no SDK: an address that `curl` can call. */
import { isCheckInStatus } from '@afterimage/protocol/check-in'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { isJsonObject, parseJson, type JsonObject } from '@afterimage/protocol/json'
import { checkInBytesMax } from '@afterimage/protocol/limits'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import { refusalAnswer, type Answer } from './answer.ts'
import { publishEnvelope, takeBody, type Arrival, type IngestContext } from './arrival.ts'
import { admitKey, type ProjectInPath } from './authenticate.ts'

/** Fields come from the query and from a JSON body; the body wins. Answers 202 with nothing. */
export async function answerCron(
  context: IngestContext,
  arrival: Arrival,
  monitor: { readonly project: ProjectInPath; readonly slug: string },
  publicKey: string | null,
): Promise<Answer> {
  if (publicKey === null) {
    return refusalAnswer(refuse('missing_auth', 'the request names no key'))
  }
  const projectId = await admitKey(context.keys, publicKey, monitor.project)
  if (isRefusal(projectId)) return refusalAnswer(projectId)
  arrival.hold.key = publicKey
  const body = await takeBody(context, arrival, { decodedBytesMax: checkInBytesMax })
  if (!Buffer.isBuffer(body)) return body
  const fields = readFields(body)
  if (isRefusal(fields)) return refusalAnswer(fields)
  const checkIn = checkInOf(monitor.slug, arrival.query, fields)
  if (isRefusal(checkIn)) return refusalAnswer(checkIn)
  const bytes = encodeEnvelope({}, [
    { header: { type: 'check_in' }, payload: JSON.stringify(checkIn) },
  ])
  await publishEnvelope(context, arrival, { projectId, publicKey }, bytes)
  return { status: 202, body: '' }
}

function readFields(body: Buffer): JsonObject | Refusal {
  const text = body.toString('utf8').trim()
  if (text === '') return {}
  const json = parseJson(text)
  if (isRefusal(json)) return json
  if (isJsonObject(json.value)) return json.value
  return refuse('invalid_json', 'the check-in is not a JSON object')
}

function checkInOf(slug: string, query: URLSearchParams, fields: JsonObject): JsonObject | Refusal {
  const of = (name: string): unknown => fields[name] ?? query.get(name)
  const status = of('status')
  if (!isCheckInStatus(status)) {
    return refuse('missing_field', 'status is not one of in_progress, ok, error')
  }
  const duration = of('duration')
  const seconds = duration === null ? null : Number(duration)
  if (seconds !== null && !(seconds >= 0)) {
    return refuse(
      'invalid_payload',
      `duration ${JSON.stringify(duration)} is not a number of seconds`,
    )
  }
  const id = of('check_in_id')
  const environment = of('environment')
  const config = fields['monitor_config']
  return {
    monitor_slug: slug,
    status,
    ...(seconds !== null && { duration: seconds }),
    ...(id !== null && { check_in_id: id }),
    ...(environment !== null && { environment }),
    ...(config !== undefined && config !== null && { monitor_config: config }),
  }
}
