/**
 * Normalizes the members that all event-like payloads share: errors, transactions, feedback and
 * replay events. Any SDK's data is read here, within limits, into one shape. Unusable members are
 * left out and named in `errors`. Nothing is scrubbed yet: `scrub` comes next, before anything is
 * derived.
 */
import { hash } from 'node:crypto'
import { eventTypes } from '@afterimage/protocol/event'
import type {
  EventProblem,
  EventRequest,
  EventType,
  NormalizedEvent,
} from '@afterimage/protocol/event'
import { refuse } from '@afterimage/protocol/outcome'
import type { Refusal } from '@afterimage/protocol/outcome'
import type { ItemContext } from '../../items/item.ts'
import { addBags, addErrors, addSdk } from './attributes.ts'
import { normalizeBreadcrumbs } from './breadcrumbs.ts'
import { normalizeContexts } from './contexts.ts'
import { adoptStacktrace, normalizeExceptions, normalizeThreads } from './exceptions.ts'
import { eventLimits } from './limits.ts'
import { normalizeMessage } from './message.ts'
import { readDist, readEnvironment, readLevel, readPlatform, readRelease } from './names.ts'
import { headerOf, normalizeRequest } from './request.ts'
import { normalizeStacktrace } from './stacktrace.ts'
import { normalizeTags } from './tags.ts'
import { addProblem, isRecord, readHexId, readText } from './text.ts'
import { correctTime } from './time.ts'
import { normalizeUser } from './user.ts'

type Raw = Record<string, unknown>

/**
 * Reads an event of any SDK. `defaultType` is for items whose payload need not name its type.
 * `timestamp - client_timestamp` of the result is what to add to further client times (spans).
 */
export function normalizeEvent(
  raw: unknown,
  context: ItemContext,
  defaultType: EventType | null = null,
): NormalizedEvent | Refusal {
  if (!isRecord(raw)) return refuse('invalid_payload', 'An event must be a JSON object.')
  const problems: EventProblem[] = []
  addErrors(problems, raw['errors'])
  const platform = readPlatform(raw['platform'])
  const time = correctTime(raw['timestamp'], context, problems)
  const type = readType(raw) ?? defaultType ?? inferType(raw)
  const request = normalizeRequest(interfaceOf(raw, 'request', 'Http'))
  const event: NormalizedEvent = {
    event_id: readEventId(raw, context, problems),
    type,
    timestamp: time.timestamp,
    client_timestamp: time.clientTimestamp,
    received: context.receivedAt,
    platform,
    level: readLevel(raw['level']) ?? defaultLevel(type),
    tags: normalizeTags(raw['tags'], problems),
    contexts: normalizeContexts(
      interfaceOf(raw, 'contexts', 'Contexts'),
      userAgentOf(request, platform, context),
      problems,
    ),
  }
  if (request !== null) event.request = request
  addNames(event, raw, problems)
  addSdk(event, raw, context.header.sdk)
  addInterfaces(event, raw, time.shiftMs)
  addUser(event, raw, context)
  addBags(event, raw)
  if (problems.length > 0) event.errors = problems
  return event
}

/** A member by its name, or by the name that old SDKs gave it. */
function interfaceOf(raw: Raw, name: string, alias: string): unknown {
  return raw[name] ?? raw[`sentry.interfaces.${alias}`]
}

function readEventId(raw: Raw, context: ItemContext, problems: EventProblem[]): string {
  const id = readHexId(context.header.event_id, 32) ?? readHexId(raw['event_id'], 32)
  if (id !== null) return id
  if (raw['event_id']) addProblem(problems, 'invalid_data', 'event_id', raw['event_id'])
  return hash('sha256', `${context.envelopeHash}/${context.index}`).slice(0, 32)
}

const typeNames: ReadonlySet<string> = new Set(eventTypes)

function readType(raw: Raw): EventType | null {
  const type = raw['type']
  if (typeof type !== 'string' || !typeNames.has(type)) return null
  return type === 'error' || type === 'default' ? null : (type as EventType)
}

function inferType(raw: Raw): EventType {
  if (interfaceOf(raw, 'exception', 'Exception')) return 'error'
  for (const type of ['csp', 'hpkp', 'expectct', 'expectstaple'] as const)
    if (raw[type]) return type
  return raw['sentry.interfaces.Csp'] ? 'csp' : 'default'
}

function defaultLevel(type: EventType): NormalizedEvent['level'] {
  return type === 'transaction' || type === 'feedback' || type === 'replay_event' ? 'info' : 'error'
}

/** NOTE: only a browser is itself the sender, so only then is the sender's User-Agent the event's. */
function userAgentOf(
  request: EventRequest | null,
  platform: string,
  context: ItemContext,
): string | null {
  return headerOf(request, 'User-Agent') ?? (platform === 'javascript' ? context.userAgent : null)
}

const textMembers = [
  ['logger', eventLimits.logger],
  ['transaction', eventLimits.transaction],
  ['culprit', eventLimits.culprit],
  ['server_name', eventLimits.serverName],
  ['site', eventLimits.label],
  ['checksum', eventLimits.checksum],
] as const

function addNames(event: NormalizedEvent, raw: Raw, problems: EventProblem[]): void {
  for (const [name, max] of textMembers) {
    const text = readText(raw[name], max)
    if (text !== null) event[name] = text
  }
  const release = readRelease(raw['release'], problems)
  if (release !== null) event.release = release
  const dist = readDist(raw['dist'], release, problems)
  if (dist !== null) event.dist = dist
  const environment = readEnvironment(raw['environment'] ?? event.tags['environment'], problems)
  delete event.tags['environment']
  if (environment !== null) event.environment = environment
  const parts = raw['fingerprint']
  if (parts === undefined || parts === null) return
  const fingerprint = (Array.isArray(parts) ? parts : [parts])
    .slice(0, eventLimits.fingerprintParts)
    .map((part: unknown) => readText(part, eventLimits.fingerprintPart))
    .filter((part) => part !== null)
  if (fingerprint.length > 0) event.fingerprint = fingerprint
}

function addInterfaces(event: NormalizedEvent, raw: Raw, shiftMs: number): void {
  const { platform } = event
  const logentry = normalizeMessage(interfaceOf(raw, 'logentry', 'Message'), raw['message'])
  if (logentry !== null) event.logentry = logentry
  const exceptions = normalizeExceptions(interfaceOf(raw, 'exception', 'Exception'), platform)
  const stacktrace = normalizeStacktrace(interfaceOf(raw, 'stacktrace', 'Stacktrace'), platform)
  const isAdopted = adoptStacktrace(exceptions, stacktrace)
  if (exceptions.length > 0) event.exception = exceptions
  if (stacktrace !== null && !isAdopted) event.stacktrace = stacktrace
  const threads = normalizeThreads(interfaceOf(raw, 'threads', 'Threads'), platform)
  if (threads.length > 0) event.threads = threads
  const crumbs = normalizeBreadcrumbs(interfaceOf(raw, 'breadcrumbs', 'Breadcrumbs'), shiftMs)
  if (crumbs.length > 0) event.breadcrumbs = crumbs
}

function addUser(event: NormalizedEvent, raw: Raw, context: ItemContext): void {
  const user = normalizeUser(interfaceOf(raw, 'user', 'User'), context, {
    platform: event.platform,
    remoteAddr: event.request?.env?.['REMOTE_ADDR'],
    inferIp: event.sdk?.settings?.['infer_ip'],
  })
  if (user !== null) event.user = user
}
