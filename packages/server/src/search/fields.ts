import type { SearchField, SearchFields } from './conditions.ts'

/** Kinds of what the table of errors holds. */
const ERROR_KINDS = ['error', 'default', 'csp', 'hpkp', 'expectct', 'expectstaple']

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

const timestamp = { field: 'timestamp', kind: 'time' } as const
const time = { timestamp, 'event.timestamp': timestamp }
/** Slugs are turned into ids where the projects are known. */
const project = { 'project.id': whole('projectId') }
/** The name stands beside what is shown of a person. */
const username = { 'user.username': { ...text('username'), also: [{ field: 'userLabel' }] } }

export const errorFields: SearchFields = {
  keys: {
    ...people,
    ...username,
    ...software,
    ...links,
    ...time,
    ...project,
    id: lowerHex('eventId'),
    'event.id': lowerHex('eventId'),
    'event.type': { field: 'type', kind: 'text', values: ERROR_KINDS },
    'error.type': { ...text('title'), also: [{ field: 'title', write: (value) => `${value}: *` }] },
    'error.value': { ...text('message'), isWithin: true },
    'error.mechanism': { field: { tag: 'mechanism' }, kind: 'text' },
    level: { field: 'level', kind: 'text', values: LEVELS },
    title: text('title'),
    culprit: text('culprit'),
    message: { ...text('message'), isWithin: true },
    dist: text('dist'),
    transaction: text('transaction'),
    url: text('url'),
    span: lowerHex('spanId'),
    'error.handled': { field: 'handled', kind: 'whole', named: { true: 1, false: 0 } },
    'error.unhandled': { field: 'handled', kind: 'whole', named: { true: 0, false: 1 } },
  },
  text: 'message',
  ids: [{ field: 'eventId' }, { field: 'replayId' }, { field: 'traceId' }],
  hasTags: true,
}

export const replayFields: SearchFields = {
  keys: {
    ...people,
    ...username,
    ...software,
    ...project,
    timestamp: { field: 'startedAt', kind: 'time' },
    started_at: { field: 'startedAt', kind: 'time' },
    id: lowerHex('replayId'),
    replay: lowerHex('replayId'),
    replay_type: { field: 'replayType', kind: 'text', values: ['session', 'buffer'] },
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
  ids: [
    { field: 'replayId' },
    { field: 'errorIds', isWithin: true },
    { field: 'traceIds', isWithin: true },
  ],
  hasTags: false,
}

export const spanFields: SearchFields = {
  keys: {
    ...links,
    ...time,
    ...project,
    release: software.release,
    environment: software.environment,
    platform: software.platform,
    browser: software.browser,
    'browser.name': software.browser,
    sdk: software.sdk,
    user: people.user,
    'user.id': people['user.id'],
    is_transaction: { field: 'isSegment', kind: 'whole', named: { true: 1, false: 0 } },
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
  ids: [{ field: 'traceId' }, { field: 'replayId' }, { field: 'eventId' }],
  hasTags: false,
}

export const logFields: SearchFields = {
  keys: {
    ...links,
    ...time,
    ...project,
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
  ids: [{ field: 'traceId' }, { field: 'replayId' }],
  hasTags: false,
}

export const metricFields: SearchFields = {
  keys: {
    ...time,
    ...project,
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
  ids: [{ field: 'traceId' }],
  hasTags: false,
}

export const feedbackFields: SearchFields = {
  keys: {
    ...people,
    ...links,
    ...time,
    ...project,
    release: software.release,
    environment: software.environment,
    message: { ...text('message'), isWithin: true },
    name: text('name'),
    email: text('email'),
    url: text('url'),
    source: text('source'),
  },
  text: 'message',
  ids: [{ field: 'eventId' }, { field: 'replayId' }, { field: 'traceId' }],
  hasTags: true,
}
