import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { GenericError } from './generic-error.tsx'

test('the page carries its own styles and no product name', () => {
  const html = renderToStaticMarkup(<GenericError status={404} />)
  expect(html).toContain('<main class="ai-plain">')
  expect(html).toContain('<style>')
  expect(html).toContain('<h2>This page could not be found.</h2>')
  expect(html).not.toContain('Afterimage')
})

test('with a message there is no code', () => {
  const html = renderToStaticMarkup(<GenericError status={500} message="It broke." />)
  expect(html).toContain('It broke.')
  expect(html).not.toContain('>500<')
})

test('inside the product it is not a landmark of its own, and has a way on', () => {
  const html = renderToStaticMarkup(
    <GenericError status={500} isInside>
      <button>Try again</button>
    </GenericError>,
  )
  expect(html).toMatch(/^<div class="ai-plain ai-plain-inside">/)
  expect(html).toContain('<button>Try again</button>')
})
