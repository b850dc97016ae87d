import { expect, test } from 'vitest'
import {
  clientExceptionMessage,
  errorPageMarkup,
  errorPageTitle,
  errorTitle,
  renderErrorPage,
} from './error-page.ts'

test('S2 the fallback page has the title of its status', () => {
  expect(errorTitle(400)).toBe('Bad Request')
  expect(errorTitle(404)).toBe('This page could not be found')
  expect(errorTitle(405)).toBe('Method Not Allowed')
  expect(errorTitle(500)).toBe('Internal Server Error')
  for (const other of [401, 431, 502, 503, Number.NaN, null]) {
    expect(errorTitle(other)).toBe('An unexpected error has occurred')
  }
})

test('S2 the whole document is the same page, and asks for nothing', () => {
  const html = renderErrorPage({ status: 503, explanation: 'Reload in a few seconds.' })
  expect(html).toContain('<title>503: An unexpected error has occurred</title>')
  expect(html).toContain(errorPageMarkup({ status: 503, explanation: 'Reload in a few seconds.' }))
  expect(html).toContain('<p>Reload in a few seconds.</p>')
  expect(html).not.toMatch(/<script|<link|src=|url\(/)
})

test('S2 without an answer there is a title and no code', () => {
  expect(errorPageTitle({ status: null })).toBe('An unexpected error has occurred')
  expect(errorPageMarkup({ status: null })).not.toContain('<h1>')
})

test('S3 the message of a failure in the browser names the host', () => {
  expect(clientExceptionMessage('errors.example')).toBe(
    'Application error: a client-side exception has occurred while loading errors.example (see the browser console for more information).',
  )
  expect(errorPageTitle({ status: 500, message: 'x' })).toBe(
    'Application error: a client-side exception has occurred',
  )
})

test('texts are escaped', () => {
  const html = renderErrorPage({ status: 500, message: `<img src="x" onerror='y'>&` })
  expect(html).toContain('&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;')
})
