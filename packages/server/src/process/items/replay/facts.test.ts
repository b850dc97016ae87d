import { expect, test } from 'vitest'
import { RecordingFacts } from './facts.ts'

test.each([
  ['pageLeft', 'button', 2500, 1],
  ['pageLeft', 'div', 2500, 0],
  ['timeout', 'button', 6999, 0],
  ['timeout', 'button', 7000, 1],
  ['mutation', 'button', 7000, 0],
])('a click that ended with %s on a %s after %d ms: %d is dead', (endReason, tagName, ms, dead) => {
  const facts = new RecordingFacts()
  const data = { endReason, timeAfterClickMs: ms, clickCount: 1, node: { tagName } }
  facts.add({
    type: 5,
    timestamp: 1_800_000_000_000,
    data: { tag: 'breadcrumb', payload: { category: 'ui.slowClickDetected', data } },
  })
  expect(facts.deadClicks).toBe(dead)
})
