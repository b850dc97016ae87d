import { growthOf, linearGrowthMax } from '@afterimage/sdk-core/testing/growth'
import { expect, test } from 'vitest'
import { defaultScrubbing } from './settings.ts'
import { scrubberOf } from './index.ts'

const { paths } = scrubberOf(defaultScrubbing)

test('takes no longer for text that is made to be slow', () => {
  const parts = [
    '4',
    '4111 ',
    '//',
    '//a',
    'password',
    'password=',
    'password="',
    "password='",
    '"password":"',
    'bearer ',
    'token= ',
    '-----BEGIN ',
    '-----BEGIN KEY-----',
    '/home/',
    'auth',
    'a:',
    '3-',
    'secret: ',
    'a@',
    'a@a.',
    'eyJhbGci.',
    'xoxb-',
    'DE89 ',
    'AB12',
    '+1 ',
    '0170 ',
    '1.2.',
    '::1:',
    'a%3D',
    '"a\\":',
    'api key: ',
    'pin ',
    'tel 1 ',
  ]
  for (const part of parts) {
    const growth = growthOf(paths, (length) => `${part.repeat(length / part.length)}\0`, 25_000)
    expect(growth, part).toBeLessThan(linearGrowthMax)
  }
})
