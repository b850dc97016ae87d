import { expect, test } from 'vitest'
import { answersMax } from '../limits.ts'
import { remember } from './remember.ts'

test('each name is asked once, whatever the answer, and those beyond a bound each time', () => {
  const asked: string[] = []
  const ask = remember((name) => {
    asked.push(name)
    return name.startsWith('yes')
  })
  for (let round = 0; round < 2; round += 1) {
    expect([ask('yes'), ask('no')]).toEqual([true, false])
  }
  expect(asked).toEqual(['yes', 'no'])
  for (let n = 2; n < answersMax; n += 1) ask(`yes ${n}`)
  asked.length = 0
  for (let round = 0; round < 2; round += 1) {
    expect([ask(`yes ${answersMax - 1}`), ask('one more')]).toEqual([true, false])
  }
  expect(asked).toEqual(['one more', 'one more'])
})
