import type { ApiEvent, ApiFrame, ApiStacktrace } from '@afterimage/protocol/api/event'
import { expect, test } from 'vitest'
import { sharedEvent } from './serialize-event.ts'

/** A person's data, in every member that stays private. */
const secret = 'ada@example.com'
const bag = { secret }

const frame: ApiFrame = {
  filename: 'app.js',
  absPath: null,
  module: null,
  package: null,
  function: 'pay',
  rawFunction: null,
  lineNo: 7,
  colNo: 1,
  inApp: true,
  context: [[7, 'pay(cart)']],
  vars: bag,
  platform: null,
}
const stack: ApiStacktrace = { frames: [frame], framesOmitted: null, hasSystemFrames: false }
const sharedStack = { ...stack, frames: [{ ...frame, vars: null }] }
const exception = {
  type: 'TypeError',
  value: 'x is not a function',
  module: null,
  threadId: null,
  mechanism: { type: 'generic', handled: true, data: bag },
  stacktrace: stack,
  rawStacktrace: stack,
}
const crumb = {
  timestamp: null,
  type: 'http',
  category: 'fetch',
  level: 'info',
  message: 'sent',
  event_id: null,
}
const user = { id: secret, email: null, username: null, name: null, ip_address: null, data: {} }

const event: ApiEvent = {
  id: '1',
  eventID: '1',
  projectID: '1',
  projectSlug: 'shop',
  groupID: secret,
  type: 'error',
  title: 'TypeError',
  culprit: 'pay',
  message: '',
  platform: 'javascript',
  location: null,
  dateCreated: '',
  dateReceived: '',
  size: 5,
  user,
  tags: [{ key: 'plan', value: secret }],
  contexts: { device: bag },
  context: bag,
  packages: bag,
  sdk: null,
  release: { version: '1.0.0' },
  dist: secret,
  environment: 'production',
  metadata: {},
  entries: [
    { type: 'exception', data: { values: [exception], hasSystemFrames: false } },
    { type: 'stacktrace', data: stack },
    { type: 'message', data: { message: '%s paid', formatted: 'someone paid', params: [secret] } },
    {
      type: 'breadcrumbs',
      data: {
        values: [
          { ...crumb, data: { url: '/api/cart', arguments: [secret] } },
          { ...crumb, data: null },
        ],
      },
    },
    {
      type: 'threads',
      data: { values: [{ id: 1, name: secret, crashed: true, current: true, stacktrace: stack }] },
    },
    {
      type: 'request',
      data: {
        url: secret,
        method: 'GET',
        query: null,
        fragment: null,
        data: null,
        headers: [],
        cookies: [],
        env: null,
        inferredContentType: null,
      },
    },
    { type: 'spans', data: [] },
    { type: 'csp', data: bag },
    { type: 'template', data: bag },
    { type: 'debugmeta', data: { images: [bag] } },
  ],
  errors: [{ type: 'invalid', data: bag }],
  fingerprints: [secret],
  nextEventID: secret,
  previousEventID: secret,
  replayId: secret,
  traceId: secret,
}

test('a shared event shows its exceptions, stack, message and breadcrumbs, without data of a person', () => {
  const shared = sharedEvent(event)
  expect(JSON.stringify(shared)).not.toContain(secret)
  expect(shared).toMatchObject({ title: 'TypeError', user: null, tags: [], release: event.release })
  expect(shared.entries).toEqual([
    {
      type: 'exception',
      data: {
        values: [{ ...exception, mechanism: null, stacktrace: sharedStack, rawStacktrace: null }],
        hasSystemFrames: false,
      },
    },
    { type: 'stacktrace', data: sharedStack },
    { type: 'message', data: { message: '%s paid', formatted: 'someone paid', params: null } },
    {
      type: 'breadcrumbs',
      data: {
        values: [
          { ...crumb, data: { url: '/api/cart' } },
          { ...crumb, data: null },
        ],
      },
    },
  ])
})

test('an exception without a stack is shared as it is', () => {
  const values = [{ ...exception, stacktrace: null, mechanism: null, rawStacktrace: null }]
  const entry = { type: 'exception', data: { values, hasSystemFrames: false } } as const
  expect(sharedEvent({ ...event, entries: [entry] }).entries).toEqual([entry])
})
