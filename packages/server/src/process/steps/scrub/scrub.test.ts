import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal } from '@afterimage/protocol/outcome'
import { describe, expect, test } from 'vitest'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import type { ScrubbingSettings } from '../../items/item.ts'
import { normalizeEvent } from '../normalize/index.ts'
import { defaultScrubbing } from './settings.ts'
import { isSensitiveKey, scrubberOf, scrubEvent, scrubValue } from './index.ts'

const { text: scrubText, paths: scrubTextAndPaths } = scrubberOf(defaultScrubbing)

function scrubbed(
  raw: Record<string, unknown>,
  settings: Partial<ScrubbingSettings> = {},
): NormalizedEvent {
  const scrubbing = { ...defaultScrubbing, ...settings }
  const event = normalizeEvent(raw, itemContext(envelopeOf('event', raw), 0, { scrubbing }))
  if (isRefusal(event)) throw new Error(event.detail)
  scrubEvent(event, scrubbing)
  return event
}

describe('keys', () => {
  test.each([
    'password',
    'dbPassword',
    'PASSWD',
    'user.secret',
    'x-api-key',
    'apiKey',
    'api_key',
    'Authorization',
    'auth',
    'proxy-authorization',
    'awsCredentials',
    'private_key',
    'privateKey',
    'accessToken',
    'bearer',
    'jwt',
    'csrfmiddlewaretoken',
    'X-CSRF-Token',
    'Set-Cookie',
    'passphrase',
  ])('%s promises a secret', (key) => {
    expect(isSensitiveKey(key, defaultScrubbing)).toBe(true)
  })

  test.each([
    'author',
    'authority',
    'compass',
    'keyboard',
    'key',
    'id',
    'zip',
    'description',
    'path',
  ])('%s does not', (key) => expect(isSensitiveKey(key, defaultScrubbing)).toBe(false))

  test.each([
    'ip',
    'ip_address',
    'client_ip',
    'remote_addr',
    'X-Forwarded-For',
    'X-Real-IP',
    'CF-Connecting-IP',
    'client.address',
  ])('%s names an address, which only a project that stores addresses keeps', (key) => {
    expect(isSensitiveKey(key, defaultScrubbing)).toBe(true)
    expect(isSensitiveKey(key, { ...defaultScrubbing, storeIpAddresses: true })).toBe(false)
  })

  test('a project adds names of its own, and names what is safe', () => {
    const settings = {
      ...defaultScrubbing,
      sensitiveFields: ['Kunden(nr'],
      safeFields: ['auth_mode'],
    }
    expect(isSensitiveKey('meine_kunden(nr_x', settings)).toBe(true)
    expect(isSensitiveKey('auth_mode', settings)).toBe(false)
    expect(isSensitiveKey('auth_modes', settings)).toBe(true)
  })

  test('with the defaults off only the own names count', () => {
    const settings = { ...defaultScrubbing, defaults: false, sensitiveFields: ['iban'] }
    expect(scrubValue({ password: 'x', iban: 'DE02' }, settings)).toEqual({
      password: 'x',
      iban: '[Filtered]',
    })
  })

  test('booleans and token counts are not secrets', () => {
    const value = { authenticated: true, max_tokens: 4096, token: 123456, password: null }
    expect(scrubValue(value, defaultScrubbing)).toEqual({ ...value, token: '[Filtered]' })
  })
})

describe('text', () => {
  test.each([
    ['card 4111 1111 1111 1111 declined', 'card [Filtered] declined'],
    ['card 378282246310005.', 'card [Filtered].'],
    ['5555-5555-5555-4444', '[Filtered]'],
    ['ssn 078-05-1120', 'ssn [Filtered]'],
    ['postgres://app:hunter2@db/shop', 'postgres://[Filtered]@db/shop'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [Filtered]'],
    ['/cb?access_token=abc123&x=1', '/cb?access_token=[Filtered]&x=1'],
    ['password = "open sesame" next', 'password = [Filtered] next'],
    ['{"password":"hunter2","a":1}', '{"password":"[Filtered]","a":1}'],
    ['{\\"api_key\\": \\"hunter2\\"}', '{\\"api_key\\": "[Filtered]"}'],
    ['my password: hunter2', 'my password: [Filtered]'],
    ['passwd: hunter2', 'passwd: [Filtered]'],
    ["{'password': 'open sesame', 'a': 1}", `{'password': "[Filtered]", 'a': 1}`],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----[Filtered]-----END RSA PRIVATE KEY-----',
    ],
    ['-----BEGIN PRIVATE KEY-----\nMIIEcut...', '-----BEGIN PRIVATE KEY-----[Filtered]'],
  ])('%s', (text, expected) => {
    expect(scrubText(text)).toBe(expected)
  })

  test.each([
    'Unexpected token: punc (})',
    'Unexpected token < in JSON at position 0',
    'order 1795161347318 of 2026-11-20',
    'https://cdn.jsdelivr.net/npm/@scope/x@1.2.3/y.js',
    'main > div#auth > button[type="submit"]',
    'e3b0c442-98fc-4111-9111-111111111111',
  ])('is left alone: %s', (text) => {
    expect(scrubText(text)).toBe(text)
  })

  test('the names of people go from their home folders', () => {
    expect(scrubTextAndPaths('open /home/ada/app.log')).toBe('open /home/[Filtered]/app.log')
    expect(scrubTextAndPaths('C:\\Users\\ada\\app.log')).toBe('C:\\Users\\[Filtered]\\app.log')
  })
})

test('a canary in every place where a secret may stand is gone', () => {
  const canary = 'canary-7d1f'
  const bag = { password: canary, deep: { list: [{ apiKey: canary }], text: `token=${canary}` } }
  const pair = { name: 'secret', value: canary }
  const event = scrubbed(
    {
      platform: 'javascript',
      message: `login with password=${canary}`,
      transaction: `/reset?token=${canary}`,
      exception: {
        values: [
          {
            type: 'Error',
            value: `401 for Bearer ${canary}`,
            mechanism: { type: 'generic', data: bag },
            stacktrace: { frames: [{ function: 'login', vars: bag }] },
          },
        ],
      },
      breadcrumbs: [
        {
          message: `GET /me?api_key=${canary}`,
          data: { url: `https://u:${canary}@x.test/`, ...bag },
        },
      ],
      request: {
        url: `https://x.test/a?session_token=${canary}#access_token=${canary}`,
        data: JSON.stringify({ user: { password: canary } }),
        headers: [
          ['authorization', `Basic ${canary}`],
          ['cookie', `sessionid=${canary}; theme=dark`],
          ['X-Api-Key', canary],
        ],
        env: { DB_PASSWORD: canary },
      },
      user: { id: '7', data: bag },
      tags: { auth_token: canary },
      contexts: {
        login: bag,
        credentials: { a: canary },
        trace: { data: bag },
        list: { items: [pair] },
      },
      extra: { ...bag, form: [['password', canary]] },
      threads: [{ stacktrace: { frames: [{ vars: bag }] } }],
      fingerprint: [`token=${canary}`],
      release: `bad/${'x'.repeat(10)}`,
    },
    {},
  )
  expect(JSON.stringify(event)).not.toContain(canary)
  expect(event.request?.cookies).toEqual([
    ['sessionid', '[Filtered]'],
    ['theme', 'dark'],
  ])
  expect(event.user?.id).toBe('7')
})

test('a body sent as a form is scrubbed by its names', () => {
  const event = scrubbed({ request: { data: 'user=ada&password=hunter2' } })
  expect(event.request?.data).toEqual([
    ['user', 'ada'],
    ['password', '[Filtered]'],
  ])
})

test('addresses are kept only for a project that asks for them', () => {
  const raw = {
    user: { id: '7', ip_address: '203.0.113.9' },
    request: { headers: { 'X-Forwarded-For': '203.0.113.9' }, env: { REMOTE_ADDR: '203.0.113.9' } },
    extra: { client_ip: '203.0.113.9' },
  }
  expect(JSON.stringify(scrubbed(raw))).not.toContain('203.0.113.9')
  const kept = scrubbed(raw, { storeIpAddresses: true })
  expect(kept.user?.ip_address).toBe('203.0.113.9')
  expect(kept.request?.headers).toEqual([['X-Forwarded-For', '203.0.113.9']])
})

test('frames, source and releases stay as they are', () => {
  const frame = {
    filename: '/home/ada/app.py',
    abs_path: '/home/ada/app.py',
    context_line: 'password = readPassword(prompt)',
  }
  const event = scrubbed({ release: 'a@1', stacktrace: { frames: [frame] } })
  expect(event.stacktrace?.frames[0]).toMatchObject(frame)
  expect(event.release).toBe('a@1')
})
