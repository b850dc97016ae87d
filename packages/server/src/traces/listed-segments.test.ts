import { expect, test } from 'vitest'
import { isListed } from './listed-segments.ts'

test('pages, requests and jobs are listed; what only happens within them is not', () => {
  for (const op of ['pageload', 'navigation', 'http.server', 'queue.process', 'my.task', 'default'])
    expect(isListed(op), op).toBe(true)
  for (const op of [
    'http.client',
    'ui.interaction.click',
    'ui.webvital.cls',
    'ui.long_animation_frame',
    'resource.script',
    'browser.paint',
    'mark',
  ])
    expect(isListed(op), op).toBe(false)
})
