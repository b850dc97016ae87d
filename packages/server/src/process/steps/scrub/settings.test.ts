import { expect, test } from 'vitest'
import { defaultScrubbing, readScrubbing } from './settings.ts'

test('what is missing or malformed is as by default', () => {
  for (const settings of [
    null,
    '',
    '{}',
    'x',
    '[]',
    '{"scrubbing":7}',
    '{"scrubbing":{"defaults":1}}',
  ]) {
    expect(readScrubbing(settings)).toEqual(defaultScrubbing)
  }
})

test('what a project chose is read', () => {
  const scrubbing = {
    defaults: false,
    sensitiveFields: ['iban', ' ', 7],
    safeFields: ['author'],
    storeIpAddresses: true,
    storeContacts: true,
  }
  expect(readScrubbing(JSON.stringify({ scrubbing }))).toEqual({
    ...scrubbing,
    sensitiveFields: ['iban'],
  })
})
