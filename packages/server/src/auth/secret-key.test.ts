import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
