import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { clientExceptionMessage, errorTitle, GenericError } from './generic-error.tsx'

test('S2 the fallback page has the title of its status', () => {
  expect(errorTitle(400)).toBe('Bad Request')
  expect(errorTitle(404)).toBe('This page could not be found')
  expect(errorTitle(405)).toBe('Method Not Allowed')
  expect(errorTitle(500)).toBe('Internal Server Error')
  expect(errorTitle(502)).toBe('An unexpected error has occurred')
  expect(errorTitle(Number.NaN)).toBe('An unexpected error has occurred')
})

test('S3 the message of a failure in the browser names the host', () => {
  expect(clientExceptionMessage('errors.example')).toBe(
    'Application error: a client-side exception has occurred while loading errors.example (see the browser console for more information).',
  )
})

test('the page carries its own styles and no product name', () => {
  const html = renderToStaticMarkup(<GenericError status={404} />)
  expect(html).toContain('<h1 style="')
  expect(html).toContain('This page could not be found.')
  expect(html).not.toContain('Afterimage')
  expect(html).not.toContain('class="lucide')
})

test('with a message there is no code', () => {
  const html = renderToStaticMarkup(<GenericError status={500} message="It broke." />)
  expect(html).toContain('It broke.')
  expect(html).not.toContain('>500<')
})
