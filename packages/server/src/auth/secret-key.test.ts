import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { keepSecretKey } from './secret-key.ts'

let folder: string
let config: Pick<Config, 'secretKey' | 'paths'>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-'))
  const paths = { secret: join(folder, 'secret-key') } as Config['paths']
  config = { secretKey: null, paths }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a key is made once, for its owner alone, and kept', () => {
  const key = keepSecretKey(config)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(keepSecretKey(config)).toBe(key)
  expect(statSync(config.paths.secret).mode & 0o777).toBe(0o600)
  expect(keepSecretKey({ ...config, secretKey: 'of the settings' })).toBe('of the settings')
})

test.each(['', '\n', 'short'])(
  'a file that holds %o is refused with a word on what to do',
  (text) => {
    writeFileSync(config.paths.secret, text)
    expect(() => keepSecretKey(config)).toThrow(/needs 32.*Restore it from a backup/)
  },
)

test('the shortest key that is long enough is kept, without the space around it', () => {
  writeFileSync(config.paths.secret, ` ${'k'.repeat(32)}\n`)
  expect(keepSecretKey(config)).toBe('k'.repeat(32))
  writeFileSync(config.paths.secret, 'k'.repeat(31))
  expect(() => keepSecretKey(config)).toThrow(/has 31 characters/)
})

test('folders on the way to the file are made, for their owner alone', () => {
  const secret = join(folder, 'a', 'b', 'secret-key')
  const key = keepSecretKey({ ...config, paths: { ...config.paths, secret } })
  expect(readFileSync(secret, 'utf8')).toBe(`${key}\n`)
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
})

test('a file that cannot be read or written is named', () => {
  mkdirSync(config.paths.secret)
  const unusable = expect.objectContaining({ code: 'STORAGE_FAILED', cause: expect.anything() })
  expect(() => keepSecretKey(config)).toThrow(unusable)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const paths = { ...config.paths, secret: join(file, 'secret-key') }
  expect(() => keepSecretKey({ ...config, paths })).toThrow(unusable)
})
