import { expect, test } from 'vitest'
import { clientListMax, clientTextCharactersMax, readClientSettings } from './client-settings.ts'

test('valid settings are read as they are', () => {
  const settings = {
    enabled: false,
    sampleRate: 0,
    tracesSampleRate: 0.25,
    replaysSessionSampleRate: 1,
    replaysOnErrorSampleRate: 0.5,
    ignoreErrors: ['AbortError'],
    denyUrls: ['widgets.example'],
    mask: ['.price'],
    block: ['#map'],
  }
  expect(readClientSettings(settings)).toEqual(settings)
})

test.each([
  [null],
  ['text'],
  [7],
  [[]],
  [{ enabled: true }],
  [{ enabled: 'false' }],
  [{ sampleRate: -0.1 }],
  [{ sampleRate: 1.1 }],
  [{ sampleRate: '0' }],
  [{ tracesSampleRate: Number.NaN }],
  [{ mask: '.a' }],
  [{ mask: [''] }],
  [{ mask: [7, null, {}] }],
  [{ block: ['x'.repeat(clientTextCharactersMax + 1)] }],
  [{ unmask: ['html'], dsn: 'https://evil.example', beforeSend: 'x' }],
])('%j sets nothing', (value) => {
  expect(readClientSettings(value)).toEqual({})
})

test('a long list is cut, and its invalid texts are left out', () => {
  const texts = Array.from({ length: clientListMax + 1 }, (_, index) => `.c${index}`)
  expect(readClientSettings({ mask: [7, ...texts] }).mask).toEqual(texts.slice(0, clientListMax))
})
