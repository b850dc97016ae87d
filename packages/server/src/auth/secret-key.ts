import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

/** As many as the setting asks for. */
const KEY_CHARACTERS_MIN = 32

/**
 * The key that signs sessions: the one of the settings, else the one kept in the data directory,
 * else a new one, written there with mode 0600.
 * @throws STORAGE_FAILED when the file can be neither read nor written, or holds no key
 */
export function keepSecretKey(config: Pick<Config, 'secretKey' | 'paths'>): string {
  if (config.secretKey !== null) return config.secretKey
  const file = config.paths.secret
  try {
    const kept = readFileSync(file, 'utf8').trim()
    if (kept.length >= KEY_CHARACTERS_MIN) return kept
    throw new AppError(
      'STORAGE_FAILED',
      `The secret key in ${file} has ${kept.length} characters; it needs ${KEY_CHARACTERS_MIN}. ` +
        'Restore it from a backup, or delete the file: a new key signs everybody out and ends share links.',
    )
  } catch (error) {
    if (error instanceof AppError) throw error
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(file, error)
  }
  const key = randomBytes(32).toString('hex')
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // `wx`: when two make a key at the same time, one fails instead of both going on.
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw unusable(file, error)
  }
  return key
}

function unusable(file: string, cause: unknown): AppError {
  return new AppError('STORAGE_FAILED', `The secret key in ${file} cannot be used.`, { cause })
}
