import { describe, expect, test } from 'vitest'
import { growthOf, linearGrowthMax } from '@afterimage/sdk-core/testing/growth'
import * as fc from 'fast-check'
import { parameterize } from './parameterize.ts'

describe('parameterize', () => {
  test.each([
    ['mail to ada.lovelace+x@example.co.uk failed', 'mail to <email> failed'],
    ['mail to [email] from [ip]:5432 failed', 'mail to <email> from <ip>:<int> failed'],
    ['GET https://api.example.com/v1/users/7?x=1 failed', 'GET <url> failed'],
    ['cannot reach db-3.prod.internal now', 'cannot reach <hostname> now'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED <ip>:<int>'],
    ['peer fe80:0:0:0:1:2:3:4 is gone', 'peer <ip> is gone'],
    ['id 3f2504e0-4f89-11d3-9a0c-0305e82c3301 twice', 'id <uuid> twice'],
    ['commit da39a3ee5e6b4b0d3255bfef95601890afd80709', 'commit <sha1>'],
    ['etag d41d8cd98f00b204e9800998ecf8427e', 'etag <md5>'],
    ['at 2026-11-20T07:55:47.326Z it broke', 'at <date> it broke'],
    ['at 2026-11-20 it broke', 'at <date> it broke'],
    ['at 07:55:47 it broke', 'at <date> it broke'],
    ['since Fri, 20 Nov 2026 07:55:47 GMT', 'since <date>'],
    ['took 12ms, then 1.5s', 'took <duration>, then <duration>'],
    ['address 0x7ffdeadbeef and 4a3f9c21bd', 'address <hex> and <hex>'],
    ['build 1a2b3c4 is bad', 'build <git_sha> is bad'],
    ['order 12345 of 7', 'order <int> of <int>'],
    ['ratio 0.75 or -2', 'ratio <float> or <int>'],
    ['name="Ada" ok=true', 'name=<quoted_str> ok=<bool>'],
    ['trace 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'trace <traceparent>'],
  ])('%s', (message, expected) => {
    expect(parameterize(message)).toBe(expected)
  })

  test.each([
    'Cannot read properties of undefined',
    'x1 is not a function',
    'utf8 is unsupported',
    'e.exports is undefined',
    'deadbeef cafe facade',
  ])('leaves words alone: %s', (message) => {
    expect(parameterize(message)).toBe(message)
  })

  test('leaves text longer than a message alone', () => {
    const long = '1 '.repeat(5000)
    expect(parameterize(long)).toBe(long)
  })

  test('costs linear time for text that is made to be slow', () => {
    const unkind = [
      'a',
      '1',
      'a.',
      '1.',
      'a-',
      ':',
      'f:',
      'a@',
      '0x',
      '="',
      '://',
      'Mon ',
      '1:1',
      'ab1',
      '00-',
      ' =',
      '-1',
    ]
    for (const part of unkind) {
      for (const end of ['', '!', 'é', '@']) {
        const textOf = (length: number) => part.repeat(length / part.length) + end
        const growth = growthOf(parameterize, textOf, 2000)
        expect(growth, `${part} … ${end}`).toBeLessThan(linearGrowthMax)
      }
    }
  })

  test('gives text for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(typeof parameterize(text)).toBe('string')
      }),
    )
  })
})
