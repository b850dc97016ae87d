import type { EventBag, EventUser, NormalizedEvent } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { scrubEvent } from './index.ts'
import { defaultScrubbing } from './settings.ts'

/** A secret, somebody's address, and somebody's folder. */
const words = 'token=x1 a@x.test /home/ada/f'
/** The secret alone is gone; with it what leads to a person; with both the name of a folder. */
const withoutSecrets = 'token=[Filtered] a@x.test /home/ada/f'
const withoutPeople = 'token=[Filtered] [email] /home/ada/f'
const withoutFolders = 'token=[Filtered] [email] /home/[Filtered]/f'

function scrubbed(event: object): Record<string, never> {
  const whole = { tags: {}, contexts: {}, ...structuredClone(event) }
  scrubEvent(whole as unknown as NormalizedEvent, defaultScrubbing)
  return whole as never
}

test.each<[string, object, object]>([
  ['the transaction', { transaction: words }, { transaction: withoutPeople }],
  ['the culprit', { culprit: words }, { culprit: withoutPeople }],
  ['the logger', { logger: words }, { logger: withoutSecrets }],
  ['the server', { server_name: words }, { server_name: withoutSecrets }],
  ['the site', { site: words }, { site: withoutSecrets }],
  [
    'the message',
    { logentry: { formatted: words, message: words, params: [words] } },
    { logentry: { formatted: withoutPeople, message: withoutPeople, params: [withoutFolders] } },
  ],
  [
    'a message without a template',
    { logentry: { formatted: 'x' } },
    { logentry: { formatted: 'x' } },
  ],
  ['the fingerprint', { fingerprint: ['x', words] }, { fingerprint: ['x', withoutPeople] }],
  [
    'a tag',
    { tags: { a: words, token: 'x1' } },
    { tags: { a: withoutFolders, token: '[Filtered]' } },
  ],
  [
    'an exception',
    {
      exception: [
        {
          type: words,
          value: words,
          mechanism: {
            type: words,
            description: words,
            help_link: words,
            data: { a: words },
            meta: { b: words },
          },
        },
        {},
      ],
    },
    {
      exception: [
        {
          type: withoutPeople,
          value: withoutPeople,
          mechanism: {
            type: words,
            description: withoutPeople,
            help_link: withoutPeople,
            data: { a: withoutFolders },
            meta: { b: withoutFolders },
          },
        },
        {},
      ],
    },
  ],
  [
    'a thread',
    { threads: [{ name: words }, { id: 1 }] },
    { threads: [{ name: withoutPeople }, { id: 1 }] },
  ],
  [
    'a breadcrumb',
    { breadcrumbs: [{ category: words, message: words, data: { a: words } }, { type: 'x' }] },
    {
      breadcrumbs: [
        { category: withoutSecrets, message: withoutFolders, data: { a: withoutFolders } },
        { type: 'x' },
      ],
    },
  ],
  [
    'a bag',
    { extra: { a: words }, template: { b: words }, security: { c: words } },
    {
      extra: { a: withoutFolders },
      template: { b: withoutFolders },
      security: { c: withoutFolders },
    },
  ],
  [
    'an image',
    { debug_meta: { images: [{ code_file: words }] } },
    { debug_meta: { images: [{ code_file: withoutFolders }] } },
  ],
  [
    'a problem',
    {
      errors: [
        { type: 't', name: 'token', value: 'x1' },
        { type: 't', value: words },
        { type: 't' },
      ],
    },
    {
      errors: [
        { type: 't', name: 'token', value: '[Filtered]' },
        { type: 't', value: withoutFolders },
        { type: 't' },
      ],
    },
  ],
])('%s keeps what it may', (_, event, expected) => expect(scrubbed(event)).toMatchObject(expected))

test.each(['stacktrace', 'exception', 'raw', 'thread'])(
  'frames of the %s keep what they may',
  (place) => {
    const stacktrace = {
      frames: [
        {
          function: words,
          filename: 'a.js?token=x1&a@x.test',
          abs_path: 'https://x.test/a.js?token=x1#a@x.test',
          context_line: 'token = next() // a@x.test',
          pre_context: ['token = "x1"'],
          post_context: ['token = "x1"'],
          vars: { a: words },
          data: { b: words },
        },
        { filename: '/home/ada/f token:x1', in_app: true },
      ],
    }
    const event = {
      stacktrace: { stacktrace },
      exception: { exception: [{ stacktrace }] },
      raw: { exception: [{ raw_stacktrace: stacktrace }] },
      thread: { threads: [{ stacktrace }] },
    }[place]!
    const text = JSON.stringify(scrubbed(event))
    const frames = JSON.stringify([
      {
        function: words,
        filename: 'a.js?token=[Filtered]&a@x.test',
        abs_path: 'https://x.test/a.js?token=[Filtered]#a@x.test',
        context_line: 'token = next() // [email]',
        pre_context: ['token = [Filtered]'],
        post_context: ['token = [Filtered]'],
        vars: { a: withoutFolders },
        data: { b: withoutFolders },
      },
      { filename: '/home/ada/f token:x1', in_app: true },
    ])
    expect(text).toContain(frames)
  },
)

test.each([
  ['a.js?password:x1', 'a.js?password:[Filtered]'],
  ['a.js#password:x1', 'a.js#password:[Filtered]'],
  ['a.js;password=x1', 'a.js;password=[Filtered]'],
  ['https://u:x1@x.test/a.js', 'https://[Filtered]@x.test/a.js'],
  ['password:x1/a.js', 'password:x1/a.js'],
])('the path %s of a frame is stored as %s', (filename, expected) => {
  expect(scrubbed({ stacktrace: { frames: [{ filename }] } })).toMatchObject({
    stacktrace: { frames: [{ filename: expected }] },
  })
})

test('a user is named on purpose, but for secrets and what a project calls one', () => {
  const user: EventUser = {
    id: 'a@x.test',
    username: words,
    email: 'a@x.test',
    name: 'Ada',
    segment: 's',
    data: { a: words },
    geo: { b: words },
  }
  expect(scrubbed({ user })).toMatchObject({
    user: {
      ...user,
      username: withoutSecrets,
      data: { a: withoutFolders },
      geo: { b: withoutFolders },
    },
  })
  const event = { tags: {}, contexts: {}, user } as unknown as NormalizedEvent
  scrubEvent(event, { ...defaultScrubbing, sensitiveFields: ['email', 'segment'] })
  expect(event.user).toMatchObject({ id: 'a@x.test', email: '[Filtered]', segment: '[Filtered]' })
})

test('secrets of a request go by their names and by their forms', () => {
  const request = {
    url: 'https://u:x1@x.test/',
    fragment: 'token=x1',
    method: 'GET',
    query_string: [
      ['code', 'SplxlOBe'],
      ['token', 'x1'],
      ['q', 'a@x.test'],
    ],
    headers: [
      ['X-Api-Key', 'x1'],
      ['Referer', words],
    ],
    cookies: [
      ['sid', 'x1'],
      ['sid2', ''],
      ['sessionid', ''],
      ['theme', 'a@x.test'],
    ],
    data: { password: 'x1', a: words },
    env: { DB_PASSWORD: 'x1' },
  }
  expect(scrubbed({ request })).toMatchObject({
    request: {
      url: 'https://[Filtered]@x.test/',
      fragment: 'token=[Filtered]',
      method: 'GET',
      query_string: [
        ['code', '[Filtered]'],
        ['token', '[Filtered]'],
        ['q', '[email]'],
      ],
      headers: [
        ['X-Api-Key', '[Filtered]'],
        ['Referer', withoutFolders],
      ],
      cookies: [
        ['sid', '[Filtered]'],
        ['sid2', ''],
        ['sessionid', ''],
        ['theme', '[email]'],
      ],
      data: { password: '[Filtered]', a: withoutFolders },
      env: { DB_PASSWORD: '[Filtered]' },
    },
  })
  expect(scrubbed({ request: { query_string: 'a=1&token=x1', data: 'token=x1' } })).toMatchObject({
    request: { query_string: 'a=1&token=[Filtered]', data: 'token=[Filtered]' },
  })
})

test('a context whose name is a secret’s is hidden whole, a trace keeps what refers to it', () => {
  const contexts: Record<string, EventBag> = {
    state: { a: words },
    credentials: { a: 'x1', b: { c: 1 } },
    trace: {
      trace_id: 'ab'.repeat(16),
      op: words,
      data: { a: words },
      tags: { b: words },
      description: words,
    },
  }
  expect(scrubbed({ contexts })).toMatchObject({
    contexts: {
      state: { a: withoutFolders },
      credentials: { a: '[Filtered]', b: '[Filtered]' },
      trace: {
        trace_id: 'ab'.repeat(16),
        op: words,
        data: { a: withoutFolders },
        tags: { b: withoutFolders },
        description: withoutFolders,
      },
    },
  })
})
