import { expect, test } from 'vitest'
import type { Answer } from './answer.ts'
import { searched, withoutProblems } from './searched.ts'

const found: Answer<string> = { isOk: true, value: 'rows', next: null, previous: null, hits: 1 }

test('a part that means nothing is left out, and the rest is asked for', async () => {
  const asked: string[] = []
  const problems = [
    { from: 14, to: 24, detail: 'there is no level "eror"' },
    { from: 0, to: 3, detail: 'needs a value' },
  ]
  const answer = await searched('is: unhandled level:eror x', (query) => {
    asked.push(query)
    return Promise.resolve(
      asked.length === 1 ? { isOk: false, status: 400, detail: 'query: …', problems } : found,
    )
  })
  expect(asked).toEqual(['is: unhandled level:eror x', 'unhandled x'])
  expect(answer).toEqual({ answer: found, query: 'unhandled x', problems })
})

test('a failure of another kind is the answer', async () => {
  const failed: Answer<string> = { isOk: false, status: 503, detail: 'not now' }
  const answer = await searched('a', () => Promise.resolve(failed))
  expect(answer).toEqual({ answer: failed, query: 'a', problems: [] })
})

test('spaces inside of quotes stay where nothing is cut', () => {
  expect(withoutProblems('"a b" level:x', [{ from: 6, to: 13, detail: '' }])).toBe('"a b"')
})
