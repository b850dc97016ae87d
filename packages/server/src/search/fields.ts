import type { SearchField, SearchFields } from './conditions.ts'

/** Levels of an error, the gravest first. */
export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug']

const text = (field: string): SearchField => ({ field, kind: 'text' })
const whole = (field: string): SearchField => ({ field, kind: 'whole' })
const lowerHex = (field: string): SearchField => ({
  field,
  kind: 'text',
  write: (value) => value.replaceAll('-', '').toLowerCase(),
})
const userKey = (prefix: string): SearchField => ({
  field: 'userKey',
  kind: 'text',
  write: (value) => `${prefix}:${value}`,
})

/** Columns hold name and major version: `Safari` means any, `Safari 17` that one. */
const nameAndVersion = (field: string): SearchField => ({
  field,
  kind: 'text',
  write: (value) => (value.includes('*') || /\d$/.test(value) ? value : `${value}*`),
})

const people = {
  user: text('userKey'),
  'user.key': text('userKey'),
  'user.id': userKey('id'),
  'user.ip': userKey('ip'),
  'user.username': text('userLabel'),
  'user.email': text('userLabel'),
  'user.display': text('userLabel'),
}

const software = {
  release: text('release'),
  environment: text('environment'),
  platform: text('platform'),
  'platform.name': text('platform'),
  browser: nameAndVersion('browser'),
  'browser.name': nameAndVersion('browser'),
  os: nameAndVersion('os'),
  'os.name': nameAndVersion('os'),
  sdk: text('sdk'),
  'sdk.name': { field: 'sdk', kind: 'text', write: (value: string) => `${value}/*` } as const,
}

const links = {
  trace: lowerHex('traceId'),
  trace_id: lowerHex('traceId'),
  replay: lowerHex('replayId'),
  replayid: lowerHex('replayId'),
  replay_id: lowerHex('replayId'),
}

const time = { timestamp: { field: 'timestamp', kind: 'time' } as const }

export const errorFields: SearchFields = {
  keys: {
    ...people,
    ...software,
    ...links,
    ...time,
    id: lowerHex('eventId'),
    'event.id': lowerHex('eventId'),
    'event.type': text('type'),
    level: { field: 'level', kind: 'text', values: LEVELS },
    title: text('title'),
    culprit: text('culprit'),
    message: text('message'),
    dist: text('dist'),
    transaction: text('transaction'),
    url: text('url'),
    span: lowerHex('spanId'),
    'error.handled': { field: 'handled', kind: 'whole', named: { true: 1, false: 0 } },
    'error.unhandled': { field: 'handled', kind: 'whole', named: { true: 0, false: 1 } },
  },
  text: 'message',
  hasTags: true,
}

export const replayFields: SearchFields = {
  keys: {
    ...people,
    ...software,
    id: lowerHex('replayId'),
    replay: lowerHex('replayId'),
    replay_type: text('replayType'),
    count_errors: whole('errorCount'),
    errors: whole('errorCount'),
    count_warnings: whole('warningCount'),
    count_urls: whole('urlCount'),
    count_segments: whole('segmentCount'),
    count_dead_clicks: whole('deadClicks'),
    dead_clicks: whole('deadClicks'),
    count_rage_clicks: whole('rageClicks'),
    rage_clicks: whole('rageClicks'),
    clicks: whole('clicks'),
    activity: whole('activity'),
    duration: { field: 'durationMs', kind: 'number', unitMs: 1000 },
    url: { field: 'urls', kind: 'text', write: (value) => `*${value}*` },
    urls: { field: 'urls', kind: 'text', write: (value) => `*${value}*` },
    error_ids: { field: 'errorIds', kind: 'text', write: (value) => `*${value}*` },
    trace_ids: { field: 'traceIds', kind: 'text', write: (value) => `*${value}*` },
    trace: { field: 'traceIds', kind: 'text', write: (value) => `*${value}*` },
    device: text('device'),
  },
  text: 'urls',
  hasTags: false,
}

export const spanFields: SearchFields = {
  keys: {
    ...links,
    ...time,
    release: software.release,
    environment: software.environment,
    platform: software.platform,
    browser: software.browser,
    'browser.name': software.browser,
    sdk: software.sdk,
    user: people.user,
    'user.id': people['user.id'],
    'span.op': text('op'),
    op: text('op'),
    'transaction.op': text('op'),
    name: text('name'),
    'span.description': text('name'),
    transaction: text('segmentName'),
    status: text('status'),
    'span.status': text('status'),
    'transaction.status': text('status'),
    origin: text('origin'),
    service: text('service'),
    duration: { field: 'durationMs', kind: 'number' },
    'span.duration': { field: 'durationMs', kind: 'number' },
    'transaction.duration': { field: 'durationMs', kind: 'number' },
    id: lowerHex('spanId'),
  },
  text: 'segmentName',
  hasTags: false,
}

export const logFields: SearchFields = {
  keys: {
    ...links,
    ...time,
    release: software.release,
    environment: software.environment,
    user: people.user,
    level: text('level'),
    severity: text('level'),
    message: text('body'),
    body: text('body'),
    service: text('service'),
    span: lowerHex('spanId'),
  },
  text: 'body',
  hasTags: false,
}

export const metricFields: SearchFields = {
  keys: {
    ...time,
    trace: links.trace,
    release: software.release,
    environment: software.environment,
    name: text('name'),
    metric: text('name'),
    type: text('type'),
    unit: text('unit'),
    value: { field: 'value', kind: 'number' },
  },
  text: 'name',
  hasTags: false,
}

export const feedbackFields: SearchFields = {
  keys: {
    ...people,
    ...links,
    ...time,
    release: software.release,
    environment: software.environment,
    message: text('message'),
    name: text('name'),
    email: text('email'),
    url: text('url'),
    source: text('source'),
  },
  text: 'message',
  hasTags: true,
}
