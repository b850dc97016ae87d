import { expect, test } from 'vitest'
import { defaultScrubbing, readScrubbing } from './settings.ts'

test('missing and malformed settings have their defaults', () => {
  for (const settings of [
    null,
    '',
    '{}',
    'x',
    '[]',
    'null',
    '{"scrubbing":7}',
    '{"scrubbing":{"defaults":1}}',
  ]) {
    expect(readScrubbing(settings)).toEqual(defaultScrubbing)
  }
})

test('settings of a project are read', () => {
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

function readFields(sensitiveFields: unknown): readonly string[] {
  return readScrubbing(JSON.stringify({ scrubbing: { sensitiveFields } })).sensitiveFields
}

test('fields are trimmed, and of those that are too long or too many none is read', () => {
  expect(readFields([' iban ', 'x'.repeat(200), 'x'.repeat(201)])).toEqual([
    'iban',
    'x'.repeat(200),
  ])
  expect(readFields(Array.from({ length: 201 }, (_, index) => `f${index}`)).at(-1)).toBe('f199')
  expect(readFields('iban')).toEqual([])
})
