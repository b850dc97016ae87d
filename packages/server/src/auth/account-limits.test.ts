import { beforeEach, expect, test } from 'vitest'
import { AccountLimits } from './account-limits.ts'

const windowMs = 15 * 60_000
const failuresMax = 20
const accountsMax = 10_000

let nowMs: number
let limits: AccountLimits
beforeEach(() => {
  nowMs = 1_800_000_000_000
  limits = new AccountLimits(() => nowMs)
})

function fail(email: string, times: number): void {
  for (let n = 0; n < times; n += 1) limits.failed(email)
}

test('an account takes 20 wrong passwords, and then none until the window is over', () => {
  expect(limits.isExhausted('ada@x.test')).toBe(false)
  fail('ada@x.test', failuresMax - 1)
  expect(limits.isExhausted('ada@x.test')).toBe(false)
  limits.failed('ada@x.test')
  expect(limits.isExhausted('ada@x.test')).toBe(true)
  expect(limits.isExhausted('bob@x.test')).toBe(false)
  nowMs += windowMs - 1
  expect(limits.isExhausted('ada@x.test')).toBe(true)
  nowMs += 1
  expect(limits.isExhausted('ada@x.test')).toBe(false)
})

test('the window begins with the first wrong password, and a new one with the first after it', () => {
  fail('ada@x.test', 1)
  nowMs += windowMs - 1
  fail('ada@x.test', failuresMax - 1)
  expect(limits.isExhausted('ada@x.test')).toBe(true)
  nowMs += 1
  fail('ada@x.test', failuresMax - 1)
  expect(limits.isExhausted('ada@x.test')).toBe(false)
  fail('ada@x.test', 1)
  expect(limits.isExhausted('ada@x.test')).toBe(true)
})

test('a right password forgets the wrong ones', () => {
  fail('ada@x.test', failuresMax)
  limits.succeeded('ada@x.test')
  expect(limits.isExhausted('ada@x.test')).toBe(false)
})

test('one account is one, however its address is written', () => {
  fail(' Ada@X.test ', failuresMax)
  expect(limits.isExhausted('ada@x.test')).toBe(true)
  limits.succeeded('ADA@x.test')
  expect(limits.isExhausted('ada@x.test')).toBe(false)
  fail('a'.repeat(321), failuresMax)
  expect(limits.isExhausted('a'.repeat(400))).toBe(true)
  expect(limits.isExhausted('a'.repeat(319))).toBe(false)
})

test('beyond the limit of accounts the one that failed longest ago is forgotten', () => {
  fail('first@x.test', failuresMax)
  fail('second@x.test', failuresMax)
  for (let n = 2; n < accountsMax; n += 1) limits.failed(`${n}@x.test`)
  expect(limits.isExhausted('first@x.test')).toBe(true)
  limits.failed('first@x.test')
  limits.failed('one-more@x.test')
  expect(limits.isExhausted('second@x.test')).toBe(false)
  expect(limits.isExhausted('first@x.test')).toBe(true)
})
