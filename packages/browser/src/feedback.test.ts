import { swallowedErrors } from '@afterimage/sdk-core/guard'
import { expect, test } from 'vitest'
import { captureFeedback } from './feedback.ts'

test('missing feedback is swallowed and counted', () => {
  const before = swallowedErrors()
  expect(captureFeedback(undefined as never)).toBe('')
  expect(swallowedErrors()).toBe(before + 1)
})
