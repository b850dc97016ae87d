import type { ApiBreadcrumb } from '@afterimage/protocol/api/event'
import { expect, test } from 'vitest'
import { lastAction, offsetWords, pathOf, stepsOf } from './steps.ts'

const errorAt = Date.parse('2026-11-20T12:00:00Z')

function crumb(change: Partial<ApiBreadcrumb>): ApiBreadcrumb {
  return {
    timestamp: '2026-11-20T11:59:50Z',
    type: 'default',
    category: null,
    level: 'info',
    message: null,
    data: null,
    event_id: null,
    ...change,
  }
}

const one = (change: Partial<ApiBreadcrumb>) => stepsOf([crumb(change)], errorAt)[0]

test('steps are timed against the error', () => {
  expect(one({})?.at).toBe(-10_000)
  expect(one({ timestamp: null })?.at).toBeNull()
  expect(one({ timestamp: 'never' })?.at).toBeNull()
})

test.each([
  [-31_400, '−31.4 s'],
  [0, '0.0 s'],
  [-30, '0.0 s'],
  [8700, '+8.7 s'],
  [-125_000, '−2 min'],
  [-7_200_000, '−2 h'],
  [null, ''],
])('%s ms is written %s', (ms, words) => {
  expect(offsetWords(ms)).toBe(words)
})

test('a navigation is two paths', () => {
  const step = one({
    category: 'navigation',
    data: { from: 'https://shop.example/basket', to: '/checkout?step=2' },
  })
  expect(step).toMatchObject({ marker: 'navigation', object: '/basket', arrow: '/checkout?step=2' })
})

test('a request is its method, path and result', () => {
  const data = {
    method: 'POST',
    url: 'https://shop.example/api/voucher',
    status_code: 200,
    duration: 148.2,
  }
  expect(one({ type: 'http', category: 'fetch', data })).toMatchObject({
    kind: 'network',
    verb: 'POST',
    object: '/api/voucher',
    result: '200, 148 ms',
    isFailed: false,
  })
  expect(one({ type: 'http', data: { ...data, status_code: 500 } })?.isFailed).toBe(true)
  expect(one({ type: 'http', data: { url: '/x', status_code: 0 } })?.result).toBe('no answer')
})

test('clicks, typing and the console are told apart', () => {
  expect(one({ category: 'ui.click', message: 'button.apply' })).toMatchObject({
    verb: 'Clicked',
    marker: 'click',
    object: 'button.apply',
  })
  const message = 'body > form > button.apply[type="submit"][aria-label="Apply"]'
  expect(one({ category: 'ui.click', message })).toMatchObject({
    object: '“Apply”',
    result: 'button.apply',
    path: message,
  })
  expect(one({ category: 'ui.click', message: 'body > main > p > button#boom' })?.object).toBe(
    'button#boom',
  )
  expect(one({ category: 'ui.input' })?.marker).toBe('input')
  expect(one({ category: 'ui.multiClick', message: 'a' })?.marker).toBe('rage')
  expect(one({ category: 'console', level: 'warning', message: 'careful' })).toMatchObject({
    verb: 'console.warn',
    marker: 'warning',
    kind: 'console',
  })
})

test('a transaction is not shown as its id', () => {
  const message = '35ed45595a5b42809cfeb63ef42ba6c4'
  expect(one({ category: 'sentry.transaction', message })).toMatchObject({
    verb: 'Sent a transaction',
    object: '',
    result: '35ed4559',
  })
  expect(one({ category: 'sentry.transaction', message: 'GET /cart' })?.object).toBe('GET /cart')
})

test('a category we do not know keeps its name', () => {
  expect(one({ category: 'redux.action', message: 'cart/add' })).toMatchObject({
    verb: 'redux.action',
    object: 'cart/add',
    kind: 'other',
  })
})

test('the last action is the one before the error', () => {
  const steps = stepsOf(
    [
      crumb({ category: 'ui.click', message: 'first' }),
      crumb({ category: 'ui.click', message: 'last', timestamp: '2026-11-20T11:59:59Z' }),
      crumb({ category: 'console', message: 'x', timestamp: '2026-11-20T11:59:59Z' }),
      crumb({ category: 'ui.click', message: 'after', timestamp: '2026-11-20T12:00:09Z' }),
    ],
    errorAt,
  )
  expect(lastAction(steps)?.object).toBe('last')
  expect(lastAction([])).toBeNull()
})

test('addresses are cut to their path', () => {
  expect(pathOf('https://shop.example')).toBe('/')
  expect(pathOf('https://shop.example/a?b=1#c')).toBe('/a?b=1')
  expect(pathOf('/a')).toBe('/a')
})
