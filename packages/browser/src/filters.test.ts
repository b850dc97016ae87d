import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { filters } from './filters.ts'
import type { Options } from '@afterimage/sdk-core/options'

beforeEach(() => vi.stubGlobal('location', { href: 'https://shop.test/' }))
afterEach(() => vi.unstubAllGlobals())

function isKept(event: SdkEvent, options: Partial<Options> = {}): boolean {
  const { processEvent } = filters({ dsn: '', ...options })
  return processEvent?.(event, {}, undefined as never) !== null
}

function error(value: string, filename?: string, type = 'Error'): SdkEvent {
  const frames = filename === undefined ? undefined : [{ filename, lineno: 1, in_app: true }]
  return { exception: { values: [{ type, value, ...(frames && { stacktrace: { frames } }) }] } }
}

test.each([
  'ResizeObserver loop completed with undelivered notifications.',
  'ResizeObserver loop limit exceeded',
  'Script error.',
  'Script error',
  'Cannot redefine property: googletag',
  `Can't find variable: gmo`,
  `Can't find variable: _AutofillCallbackHandler`,
  'Java object is gone',
  `vv().getRestrictions is not a function. (In 'vv().getRestrictions(1,a)', 'vv().getRestrictions' is undefined)`,
  'Error invoking postMessage: Java exception was raised during method invocation',
  'Non-Error promise rejection captured with value: Object Not Found Matching Id:3, MethodName:update, ParamCount:4',
  `undefined is not an object (evaluating 'a.L')`,
  '',
])('noise is discarded: %s', (value) => expect(isKept(error(value))).toBe(false))

test('errors that only resemble noise are kept', () => {
  expect(isKept(error('The ResizeObserver loop of ours broke'))).toBe(true)
  expect(isKept(error('Script error.', 'https://shop.test/app.js'))).toBe(true)
  expect(isKept(error('googletag is not defined'))).toBe(true)
  expect(isKept({ message: 'hello' })).toBe(true)
  expect(isKept({ type: 'transaction', transaction: '/' })).toBe(true)
  expect(isKept({ logentry: { message: 'hello' } })).toBe(true)
  expect(isKept({ extra: { only: 'data' } })).toBe(true)
})

test.each([
  'chrome-extension://abc/content.js',
  'moz-extension://abc/content.js',
  'safari-web-extension://abc/content.js',
  'webkit-masked-url://hidden/',
])('errors of extensions are discarded: %s', (filename) => {
  expect(isKept(error('x is undefined', filename))).toBe(false)
})

test('an extension that watches itself keeps its errors', () => {
  vi.stubGlobal('location', { href: 'chrome-extension://abc/popup.html' })
  expect(isKept(error('x is undefined', 'chrome-extension://abc/popup.js'))).toBe(true)
})

test('ignoreErrors tries message, value and type with value', () => {
  const ignoreErrors = ['quiet please', /^TypeError: known/g]
  expect(isKept({ message: 'be quiet please!' }, { ignoreErrors })).toBe(false)
  expect(isKept({ logentry: { message: 'be quiet please!' } }, { ignoreErrors })).toBe(false)
  // Twice, since a pattern with the flag g is stateful.
  for (let round = 0; round < 2; round += 1) {
    expect(isKept(error('known one', undefined, 'TypeError'), { ignoreErrors })).toBe(false)
  }
  expect(isKept(error('known one'), { ignoreErrors })).toBe(true)
})

test('denyUrls and allowUrls try the file that threw', () => {
  const denyUrls = [/ads\.test/]
  expect(isKept(error('x', 'https://ads.test/a.js'), { denyUrls })).toBe(false)
  expect(isKept(error('x', 'https://shop.test/a.js'), { denyUrls })).toBe(true)
  const allowUrls = ['shop.test']
  expect(isKept(error('x', 'https://shop.test/a.js'), { allowUrls })).toBe(true)
  expect(isKept(error('x', 'https://other.test/a.js'), { allowUrls })).toBe(false)
  expect(isKept(error('x without a file'), { allowUrls })).toBe(true)
})
