/**
 * Removes secrets, and what leads to a person, from an event before anything is derived from it or
 * stored. Left alone: ids, times, names of functions, release and environment.
 */
import type {
  EventBag,
  EventException,
  EventFrame,
  EventRequest,
  EventStacktrace,
  EventUser,
  NormalizedEvent,
} from '@afterimage/protocol/event'
import type { ScrubbingSettings } from '../../items/item.ts'
import { isQuerySecret } from './assignments.ts'
import { filtered } from './filtered.ts'
import { scrubAny, scrubberOf, scrubMember, scrubRecord } from './values.ts'
import type { Scrubber } from './values.ts'

export { isSensitiveKey, scrubberOf, scrubText, scrubValue } from './values.ts'

/** Scrubs the event in place. */
export function scrubEvent(event: NormalizedEvent, settings: ScrubbingSettings): void {
  const scrubber = scrubberOf(settings)
  scrubTexts(event, scrubber)
  for (const key in event.tags) {
    event.tags[key] = String(scrubMember(key, event.tags[key], scrubber))
  }
  if (event.user) scrubUser(event.user, scrubber)
  if (event.request) scrubRequest(event.request, scrubber)
  for (const exception of event.exception ?? []) scrubException(exception, scrubber)
  scrubFrames(event.stacktrace, scrubber)
  scrubFrames(event.raw_stacktrace, scrubber)
  scrubScripts(event, scrubber)
  for (const thread of event.threads ?? []) {
    if (thread.name !== undefined) thread.name = scrubber.text(thread.name)
    scrubFrames(thread.stacktrace, scrubber)
    scrubFrames(thread.raw_stacktrace, scrubber)
  }
  for (const crumb of event.breadcrumbs ?? []) {
    if (crumb.category !== undefined) crumb.category = scrubber.secrets(crumb.category)
    if (crumb.message !== undefined) crumb.message = scrubber.paths(crumb.message)
    if (crumb.data) scrubRecord(crumb.data, scrubber)
  }
  scrubContexts(event.contexts, scrubber)
  for (const bag of [event.extra, event.template, event.security]) {
    if (bag) scrubRecord(bag, scrubber)
  }
  for (const image of event.debug_meta?.images ?? []) scrubRecord(image, scrubber)
  for (const problem of event.errors ?? []) {
    if (typeof problem.value === 'string')
      problem.value = scrubMember(problem.name ?? '', problem.value, scrubber)
  }
}

function scrubTexts(event: NormalizedEvent, scrubber: Scrubber): void {
  for (const member of ['transaction', 'culprit'] as const) {
    const text = event[member]
    if (text !== undefined) event[member] = scrubber.text(text)
  }
  for (const member of ['logger', 'server_name', 'site'] as const) {
    const text = event[member]
    if (text !== undefined) event[member] = scrubber.secrets(text)
  }
  const message = event.logentry
  if (message) {
    message.formatted = scrubber.text(message.formatted)
    if (message.message !== undefined) message.message = scrubber.text(message.message)
    if (message.params !== undefined) message.params = scrubAny(message.params, scrubber)
  }
  if (event.fingerprint) event.fingerprint = event.fingerprint.map(scrubber.text)
}

const userMembers = ['id', 'username', 'email', 'name', 'segment'] as const

/** A user is named on purpose, so a mail address stays; a password as a name does not. */
function scrubUser(user: EventUser, scrubber: Scrubber): void {
  for (const member of userMembers) {
    const value = user[member]
    if (value === undefined) continue
    user[member] = scrubber.isSensitive(member) ? filtered : scrubber.secrets(value)
  }
  if (user.data) scrubRecord(user.data, scrubber)
  if (user.geo) scrubRecord(user.geo, scrubber)
}

type Pairs = [string, string][]

function scrubRequest(request: EventRequest, scrubber: Scrubber): void {
  if (request.url !== undefined) request.url = scrubber.text(request.url)
  if (request.fragment !== undefined) request.fragment = scrubber.text(request.fragment)
  if (typeof request.query_string === 'object') scrubQuery(request.query_string, scrubber)
  else if (request.query_string) request.query_string = scrubber.text(request.query_string)
  for (const pair of request.headers ?? []) {
    pair[1] = String(scrubMember(pair[0], pair[1], scrubber))
  }
  if (request.cookies) scrubCookies(request.cookies, scrubber)
  if (request.data !== undefined) request.data = scrubAny(request.data, scrubber)
  if (request.env) scrubRecord(request.env, scrubber)
}

function scrubQuery(pairs: Pairs, scrubber: Scrubber): void {
  for (const pair of pairs) {
    const [name, value] = pair
    pair[1] = isQuerySecret(name, value, scrubber)
      ? filtered
      : String(scrubMember(name, value, scrubber))
  }
}

function scrubCookies(pairs: Pairs, scrubber: Scrubber): void {
  for (const pair of pairs) {
    const isSecret = pair[1] !== '' && scrubber.isSensitiveCookie(pair[0])
    pair[1] = isSecret ? filtered : scrubber.text(pair[1])
  }
}

function scrubException(exception: EventException, scrubber: Scrubber): void {
  if (exception.type !== undefined) exception.type = scrubber.text(exception.type)
  if (exception.value !== undefined) exception.value = scrubber.text(exception.value)
  const mechanism = exception.mechanism
  if (mechanism?.description !== undefined) {
    mechanism.description = scrubber.text(mechanism.description)
  }
  if (mechanism?.help_link !== undefined) mechanism.help_link = scrubber.text(mechanism.help_link)
  if (mechanism?.data) scrubRecord(mechanism.data, scrubber)
  if (mechanism?.meta) scrubRecord(mechanism.meta, scrubber)
  scrubFrames(exception.stacktrace, scrubber)
  scrubFrames(exception.raw_stacktrace, scrubber)
}

/** Scripts have the addresses of the frames, in which a query may be a secret. */
function scrubScripts(event: NormalizedEvent, scrubber: Scrubber): void {
  for (const script of event.symbolication?.scripts ?? []) {
    script.url = scrubPath(script.url, scrubber)
  }
}

function scrubFrames(stacktrace: EventStacktrace | undefined, scrubber: Scrubber): void {
  for (const frame of stacktrace?.frames ?? []) scrubFrame(frame, scrubber)
}

function scrubFrame(frame: EventFrame, scrubber: Scrubber): void {
  if (frame.filename !== undefined) frame.filename = scrubPath(frame.filename, scrubber)
  if (frame.abs_path !== undefined) frame.abs_path = scrubPath(frame.abs_path, scrubber)
  if (frame.context_line !== undefined) frame.context_line = scrubber.source(frame.context_line)
  if (frame.pre_context) frame.pre_context = frame.pre_context.map(scrubber.source)
  if (frame.post_context) frame.post_context = frame.post_context.map(scrubber.source)
  if (frame.vars) scrubRecord(frame.vars, scrubber)
  if (frame.data) scrubRecord(frame.data, scrubber)
}

/** Scrubs a path. It is the name of a file; the query of an address may be a secret. */
function scrubPath(path: string, scrubber: Scrubber): string {
  return /[?#=@]/.test(path) ? scrubber.secrets(path) : path
}

function scrubContexts(contexts: Record<string, EventBag>, scrubber: Scrubber): void {
  for (const name in contexts) {
    const context = contexts[name]!
    if (name === 'trace') scrubTrace(context, scrubber)
    else if (scrubber.isSensitive(name)) for (const key in context) context[key] = filtered
    else scrubRecord(context, scrubber)
  }
}

/** Scrubs a trace context but for its ids: they identify no person, and other rows refer to them. */
function scrubTrace(trace: EventBag, scrubber: Scrubber): void {
  for (const member of ['data', 'tags', 'description'] as const) {
    if (trace[member]) trace[member] = scrubAny(trace[member], scrubber)
  }
}
