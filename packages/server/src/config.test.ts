import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readEnv } from './env.ts'

const configOf = (variables: Readonly<Record<string, string>>) =>
  readConfig(readEnv(variables), '/srv/afterimage')

test.each(['0.0.0.0', '::', '192.0.2.1', 'errors.example.com'])(
  'the clock of tests is refused on the host %s',
  (host) => {
    expect(() => configOf({ HOST: host, AFTERIMAGE_TEST_CLOCK: '1' })).toThrow(
      /AFTERIMAGE_TEST_CLOCK: only on a loopback address/,
    )
  },
)

test.each(['127.0.0.1', '::1', 'localhost'])('the clock of tests runs on %s', (host) => {
  expect(configOf({ HOST: host, AFTERIMAGE_TEST_CLOCK: '1' }).hasTestClock).toBe(true)
  expect(configOf({ HOST: host }).hasTestClock).toBe(false)
})
