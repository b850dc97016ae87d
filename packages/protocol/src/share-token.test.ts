import { expect, test } from 'vitest'
import { createId } from './ids.ts'
import { isShareToken } from './share-token.ts'

test('the token of a share link is 32 hex digits in lower case, and nothing around them', () => {
  const token = createId()
  expect(isShareToken(token)).toBe(true)
  const others = [
    token.slice(1),
    `${token}0`,
    'A'.repeat(32),
    ` ${token}`,
    `${token}\n`,
    'g'.repeat(32),
  ]
  expect(others.filter(isShareToken)).toEqual([])
})
