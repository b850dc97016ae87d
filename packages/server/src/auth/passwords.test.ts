import { APIError } from 'better-auth/api'
import { beforeEach, expect, test, vi } from 'vitest'
import { boundedPasswords } from './passwords.ts'

const work = vi.hoisted(() => ({ gates: [] as (() => void)[] }))
vi.mock('better-auth/crypto', () => ({
  hashPassword: (password: string) =>
    new Promise((resolve) => work.gates.push(() => resolve(`hash of ${password}`))),
  verifyPassword: ({ hash, password }: { hash: string; password: string }) =>
    new Promise((resolve) => work.gates.push(() => resolve(hash === `hash of ${password}`))),
}))

beforeEach(() => {
  work.gates = []
})

/** Lets the work in hand be done until the promise is. */
async function worked<T>(promise: Promise<T>): Promise<T> {
  const state = { isDone: false }
  void promise.finally(() => (state.isDone = true)).catch(() => undefined)
  const letOn = (): void => {
    for (const open of work.gates.splice(0)) open()
    expect(state.isDone).toBe(true)
  }
  await vi.waitFor(letOn, { interval: 1, timeout: 5000 })
  return promise
}

test('passwords are hashed and checked', async () => {
  const { hash, verify } = boundedPasswords()
  expect(await worked(hash('secret'))).toBe('hash of secret')
  expect(await worked(verify({ hash: 'hash of secret', password: 'secret' }))).toBe(true)
  expect(await worked(verify({ hash: 'hash of secret', password: 'other' }))).toBe(false)
})

test('two are worked at a time, forty wait, and more are turned away', async () => {
  const { hash } = boundedPasswords()
  const all = Array.from({ length: 42 }, (_, index) => hash(`${index}`))
  await vi.waitFor(() => expect(work.gates).toHaveLength(2))
  expect(() => hash('one more')).toThrow(APIError)
  expect(() => hash('one more')).toThrow(expect.objectContaining({ statusCode: 429 }))
  expect(await worked(Promise.all(all))).toHaveLength(42)
  expect(await worked(hash('later'))).toBe('hash of later')
})
