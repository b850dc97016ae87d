import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal } from '@afterimage/protocol/outcome'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { normalizeEvent } from '../normalize/index.ts'
import { isSensitiveKey, scrubEvent, scrubberOf, scrubText, scrubValue } from './index.ts'
import { harmlessTexts, secretTexts } from './secrets.fixture.ts'
import { defaultScrubbing } from './settings.ts'

const { text, paths, source } = scrubberOf(defaultScrubbing)

describe('text', () => {
  test.each(secretTexts)('%s', (_, words, secret) => {
    expect(words).toContain(secret)
    expect(text(words)).not.toContain(secret)
    expect(text(`before ${words} after`)).not.toContain(secret)
  })

  test.each(harmlessTexts)('is left alone: %s', (words) => {
    expect(text(words)).toBe(words)
    expect(paths(words)).toBe(words)
    expect(scrubValue({ message: words }, defaultScrubbing)).toEqual({ message: words })
  })

  test.each([
    ['?q=1&token=abc', '?q=1&token=[Filtered]'],
    ['?q=1&token=[Filtered]', '?q=1&token=[Filtered]'],
    ['?q=1&token=abc&page=2', '?q=1&token=[Filtered]&page=2'],
    ['{"a":[{"token":"x y"}]}', '{"a":[{"token":"[Filtered]"}]}'],
    ['Cookie: a=b; c=d\nAccept: */*', 'Cookie: [Filtered]\nAccept: */*'],
    ['to DE89370400440532013000 TODAY', 'to [Filtered] TODAY'],
    ['mail ada@example.com, bob@example.com', 'mail [email], [email]'],
    [
      'GB82 WEST 1234 5698 7654 32 BANK GB82 WEST 1234 5698 7654 32 BANK',
      '[Filtered] BANK [Filtered] BANK',
    ],
  ])('nothing but the secret goes from %s', (words, expected) => {
    expect(text(words)).toBe(expected)
  })

  test('scrubbed twice is scrubbed once', () => {
    const piece = fc.constantFrom(
      ...secretTexts.map(([, words]) => words),
      ...harmlessTexts,
      'token=',
      '"password": ',
      'pin ',
      '[',
      ']',
      '&',
      '"',
      '\\"',
      ': ',
      '[Filtered]',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom('', ' '), (pieces, gap) => {
        const once = paths(pieces.join(gap))
        expect(paths(once)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  test('an IBAN whose digits do not check is a number', () => {
    expect(text('DE88370400440532013000')).toBe('DE88370400440532013000')
  })

  test('a project may keep mail addresses, telephone numbers and addresses of machines', () => {
    const words = 'ada@example.com, +49 30 90182017, 203.0.113.9, token=abc'
    const settings = { ...defaultScrubbing, storeContacts: true, storeIpAddresses: true }
    expect(scrubText(words, settings)).toBe(words.replace('abc', '[Filtered]'))
    expect(scrubValue({ phone: '0170 1234567' }, settings)).toEqual({ phone: '0170 1234567' })
  })
})

describe('lines of a program', () => {
  test.each(secretTexts)('%s', (_, words, secret) => {
    expect(source(`  const x = '${words}' // ${words}`)).not.toContain(secret)
  })

  test.each([
    'const password = form.elements.password.value',
    'token = await nextToken(session)',
    'if (pin === expectedPin) return authorize(user)',
    'function login(password: string, otp?: number): Session {',
    '<input type="password" name="password" autocomplete="current-password" />',
    'return { ...state, session: action.session, apiKey: config.apiKey }',
    "case 'token': return readToken(stream)",
    'a.token=e.token,t.password=n(7);',
  ])('is left alone: %s', (line) => expect(source(line)).toBe(line))
})

/** One of each of these under its name, with the other names that must not count as secrets. */
const secretNames =
  'password passwd pwd pass pw passcode passphrase db_pass mysqlPwd userPassword secret client_secret token ' +
  'access_token refreshToken id_token api_key apiKey x-api-key access_key accessKeyId secret_access_key private_key ' +
  'encryption_key signingKey master_key auth authorization credentials bearer jwt csrf xsrf-token cookie set-cookie ' +
  'session session_id sessionToken sid connect.sid PHPSESSID JSESSIONID card_number cardNumber cc_number creditCard ' +
  'cvv cvc cvv2 security_code pin pinCode ssn socialSecurityNumber iban account_number routing_number otp otp_code ' +
  'totp mfa_code one_time_code recovery_code mnemonic seed_phrase passport_number tax_id driversLicense date_of_birth ' +
  'signature X-Amz-Signature connectionString ssh_key license_key'

test.each(secretNames.split(' '))('%s names a secret', (name) => {
  expect(isSensitiveKey(name, defaultScrubbing)).toBe(true)
  expect(JSON.stringify(scrubValue({ [name]: 'canary' }, defaultScrubbing))).not.toContain('canary')
})

test.each(
  (
    'author compass bypass keyboard key primary_key cacheKey sort_key public_key monkey code error_code zip id trace_id ' +
    'span_id order_number status path description ship pinned spinner shopping_cart passenger assign design sessionCount ' +
    'session_duration sessionSampleRate class accessible expires nationality discard accountant ccs recipe'
  ).split(' '),
)('%s does not', (name) => expect(isSensitiveKey(name, defaultScrubbing)).toBe(false))

test('the working directory of a shell is not a password', () => {
  const env = { PWD: '/srv/shop', OLDPWD: 'C:\\shop', pwd: 'hunter2', DB_PWD: 'x' }
  expect(scrubValue(env, defaultScrubbing)).toEqual({
    PWD: '/srv/shop',
    OLDPWD: 'C:\\shop',
    pwd: '[Filtered]',
    DB_PWD: '[Filtered]',
  })
  expect(scrubValue({ PWD: 'hunter2' }, defaultScrubbing)).toEqual({ PWD: '[Filtered]' })
})

test('versions, hosts and ids stay under their names', () => {
  const bag = {
    browser_version: '120.0.6099.109',
    'server.address': '10.0.0.5',
    phone: 'iPhone 15',
    mobile: '?1',
    max_tokens: 4096,
    'user.email': 'ada@example.com',
  }
  expect(scrubValue({ ...bag }, defaultScrubbing)).toEqual(bag)
})

/** Each text in each place of an event where people write. */
function eventWith(words: string): NormalizedEvent {
  const bag = { note: words, deep: { list: [words] }, pairs: [['note', words]] }
  const lines = { context_line: `x("${words}")`, pre_context: [words], post_context: [words] }
  const frame = { function: 'f', filename: 'a.js', abs_path: `https://x.test/a.js?v=1`, ...lines }
  const stacktrace = { frames: [{ ...frame, vars: bag, data: bag }] }
  const raw = {
    platform: 'javascript',
    message: { message: words, formatted: words, params: [words, bag] },
    transaction: words,
    culprit: words,
    exception: {
      values: [
        {
          type: 'Error',
          value: words,
          mechanism: { type: 'generic', description: words, data: bag, meta: bag },
          stacktrace,
          raw_stacktrace: stacktrace,
        },
      ],
    },
    threads: [{ name: words, stacktrace }],
    breadcrumbs: [{ category: 'x', message: words, data: { url: words, ...bag } }],
    request: {
      url: 'https://x.test/',
      query_string: { note: words },
      fragment: words,
      data: bag,
      headers: { Referer: words, 'X-Note': words },
      cookies: { note: words },
      env: bag,
    },
    user: { id: '7', data: bag, geo: bag, note: words },
    tags: { note: words },
    contexts: { state: bag, trace: { trace_id: 'ab'.repeat(16), data: bag } },
    extra: bag,
    fingerprint: [words],
    errors: [{ type: 'invalid_data', name: 'note', value: words }],
  }
  const event = normalizeEvent(raw, itemContext(envelopeOf('event', raw), 0))
  if (isRefusal(event)) throw new Error(event.detail)
  scrubEvent(event, defaultScrubbing)
  return event
}

test.each(secretTexts)('%s is gone from every place of an event', (_, words, secret) => {
  expect(JSON.stringify(eventWith(words)).includes(secret)).toBe(false)
})

test.each(harmlessTexts)('stays in the message of an event: %s', (words) => {
  expect(eventWith(words).logentry?.formatted).toBe(words)
})

test('the user that the application has set stays unchanged', () => {
  const raw = {
    user: { id: 'ada@example.com', email: 'ada@example.com', username: 'ada@example.com' },
  }
  const event = normalizeEvent(raw, itemContext(envelopeOf('event', raw), 0))
  if (isRefusal(event)) throw new Error(event.detail)
  scrubEvent(event, defaultScrubbing)
  expect(event.user).toEqual(raw.user)
})
