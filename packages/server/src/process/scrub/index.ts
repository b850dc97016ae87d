/**
 * Removes secrets from an event before anything is derived from it or stored: values under names
 * that promise a secret, and what looks like one inside of text. Left alone: ids, times, names of
 * files and functions, lines of source, release and environment.
 */
import type {
  EventBag,
  EventException,
  EventRequest,
  EventStacktrace,
  EventUser,
  NormalizedEvent,
} from '@afterimage/protocol/event'
import type { ScrubbingSettings } from '../item.ts'
import { cookieTest, keyTest } from './keys.ts'
import type { KeyTest } from './keys.ts'
import { filtered, scrubText, scrubTextAndPaths } from './text.ts'

interface Scrubber {
  readonly isSensitive: KeyTest
  readonly isSensitiveCookie: KeyTest
  readonly text: (text: string) => string
  readonly paths: (text: string) => string
}

/** Scrubs the event in place. */
export function scrubEvent(event: NormalizedEvent, settings: ScrubbingSettings): void {
  const scrubber = scrubberOf(settings)
  scrubTexts(event, scrubber)
  scrubTags(event.tags, scrubber)
  if (event.user) scrubUser(event.user, scrubber)
  if (event.request) scrubRequest(event.request, scrubber)
  for (const exception of event.exception ?? []) scrubException(exception, scrubber)
  scrubVariables(event.stacktrace, scrubber)
  for (const thread of event.threads ?? []) scrubVariables(thread.stacktrace, scrubber)
  for (const crumb of event.breadcrumbs ?? []) {
    if (crumb.message !== undefined) crumb.message = scrubber.paths(crumb.message)
    if (crumb.data) scrubRecord(crumb.data, scrubber)
  }
  scrubContexts(event.contexts, scrubber)
  for (const bag of [event.extra, event.template, event.security]) {
    if (bag) scrubRecord(bag, scrubber)
  }
  for (const problem of event.errors ?? []) {
    if (typeof problem.value === 'string')
      problem.value = scrubProblem(problem.name, problem.value, scrubber)
  }
}

/** Scrubs JSON of unknown shape in place (objects and lists) and returns it; text is returned scrubbed. */
export function scrubValue<T>(value: T, settings: ScrubbingSettings): T {
  return scrubAny(value, scrubberOf(settings)) as T
}

/** Whether what stands under this name is a secret. */
export function isSensitiveKey(key: string, settings: ScrubbingSettings): boolean {
  return scrubberOf(settings).isSensitive(key)
}

const scrubbers = new WeakMap<ScrubbingSettings, Scrubber>()
/** Most projects have no rules of their own: they share one scrubber per combination of switches. */
const plainScrubbers = new Map<string, Scrubber>()

function scrubberOf(settings: ScrubbingSettings): Scrubber {
  const known = scrubbers.get(settings)
  if (known) return known
  const isPlain = settings.sensitiveFields.length === 0 && settings.safeFields.length === 0
  const plainKey = `${settings.defaults} ${settings.storeIpAddresses}`
  const scrubber = (isPlain ? plainScrubbers.get(plainKey) : null) ?? makeScrubber(settings)
  if (isPlain) plainScrubbers.set(plainKey, scrubber)
  scrubbers.set(settings, scrubber)
  return scrubber
}

function makeScrubber(settings: ScrubbingSettings): Scrubber {
  const isSensitive = keyTest(settings)
  const isSensitiveCookie = cookieTest(settings, isSensitive)
  return settings.defaults
    ? { isSensitive, isSensitiveCookie, text: scrubText, paths: scrubTextAndPaths }
    : { isSensitive, isSensitiveCookie, text: unchanged, paths: unchanged }
}

function unchanged(text: string): string {
  return text
}

function scrubTexts(event: NormalizedEvent, scrubber: Scrubber): void {
  for (const member of ['transaction', 'culprit'] as const) {
    const text = event[member]
    if (text !== undefined) event[member] = scrubber.text(text)
  }
  const message = event.logentry
  if (message) {
    message.formatted = scrubber.text(message.formatted)
    if (message.message !== undefined) message.message = scrubber.text(message.message)
    if (message.params !== undefined) message.params = scrubAny(message.params, scrubber)
  }
  if (event.fingerprint) event.fingerprint = event.fingerprint.map(scrubber.text)
}

function scrubTags(tags: Record<string, string>, scrubber: Scrubber): void {
  for (const key in tags) {
    tags[key] = scrubber.isSensitive(key) ? filtered : scrubber.text(tags[key]!)
  }
}

const userMembers = ['id', 'username', 'email', 'name', 'segment'] as const

function scrubUser(user: EventUser, scrubber: Scrubber): void {
  for (const member of userMembers) {
    const value = user[member]
    if (value === undefined) continue
    user[member] = scrubber.isSensitive(member) ? filtered : scrubber.text(value)
  }
  if (user.data) scrubRecord(user.data, scrubber)
  if (user.geo) scrubRecord(user.geo, scrubber)
}

function scrubRequest(request: EventRequest, scrubber: Scrubber): void {
  if (request.url !== undefined) request.url = scrubber.text(request.url)
  if (request.fragment !== undefined) request.fragment = scrubber.text(request.fragment)
  if (typeof request.query_string === 'object') scrubPairs(request.query_string, scrubber)
  if (request.headers) scrubPairs(request.headers, scrubber)
  if (request.cookies) scrubPairs(request.cookies, scrubber, scrubber.isSensitiveCookie)
  if (request.data !== undefined) request.data = scrubAny(request.data, scrubber)
  if (request.env) scrubRecord(request.env, scrubber)
}

function scrubPairs(
  pairs: [string, string][],
  scrubber: Scrubber,
  isSensitive: KeyTest = scrubber.isSensitive,
): void {
  for (const pair of pairs) {
    pair[1] = isSensitive(pair[0]) && pair[1] !== '' ? filtered : scrubber.text(pair[1])
  }
}

function scrubException(exception: EventException, scrubber: Scrubber): void {
  if (exception.value !== undefined) exception.value = scrubber.text(exception.value)
  const mechanism = exception.mechanism
  if (mechanism?.description !== undefined) {
    mechanism.description = scrubber.text(mechanism.description)
  }
  if (mechanism?.data) scrubRecord(mechanism.data, scrubber)
  scrubVariables(exception.stacktrace, scrubber)
  scrubVariables(exception.raw_stacktrace, scrubber)
}

function scrubVariables(stacktrace: EventStacktrace | undefined, scrubber: Scrubber): void {
  if (!stacktrace) return
  for (const frame of stacktrace.frames) if (frame.vars) scrubRecord(frame.vars, scrubber)
}

function scrubContexts(contexts: Record<string, EventBag>, scrubber: Scrubber): void {
  for (const name in contexts) {
    const context = contexts[name]!
    if (name === 'trace') {
      if (context['data']) context['data'] = scrubAny(context['data'], scrubber)
    } else if (scrubber.isSensitive(name)) {
      for (const key in context) context[key] = filtered
    } else scrubRecord(context, scrubber)
  }
}

/** A problem quotes the value that was refused, so it is as secret as its member. */
function scrubProblem(name: string | undefined, value: string, scrubber: Scrubber): string {
  return name !== undefined && scrubber.isSensitive(name) ? filtered : scrubber.paths(value)
}

function scrubAny(value: unknown, scrubber: Scrubber): unknown {
  if (typeof value === 'string') return scrubber.paths(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) scrubList(value, scrubber)
  else scrubRecord(value as EventBag, scrubber)
  return value
}

function scrubList(list: unknown[], scrubber: Scrubber): void {
  const isPair = list.length === 2 && typeof list[0] === 'string' && scrubber.isSensitive(list[0])
  for (let index = 0; index < list.length; index += 1) {
    list[index] = isPair && index === 1 ? filtered : scrubAny(list[index], scrubber)
  }
}

function scrubRecord(record: EventBag, scrubber: Scrubber): void {
  for (const key in record) {
    const value = record[key]
    record[key] =
      isSecret(value, key) && scrubber.isSensitive(key) ? filtered : scrubAny(value, scrubber)
  }
  const name = record['key'] ?? record['name']
  if (typeof name !== 'string' || record['value'] === undefined) return
  if (isSecret(record['value'], name) && scrubber.isSensitive(name)) record['value'] = filtered
}

/** One bit is no secret, and `max_tokens: 4096` is a count. */
function isSecret(value: unknown, key: string): boolean {
  if (value === null || value === '' || typeof value === 'boolean') return false
  return typeof value !== 'number' || !/tokens$/i.test(key)
}
