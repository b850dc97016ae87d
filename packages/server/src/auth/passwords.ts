import { APIError } from 'better-auth/api'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import pLimit from 'p-limit'

/** Hashed at one time: each takes a thread of the pool that files and names are read with, for 50 ms. */
const AT_ONCE_MAX = 2
/** Sign-ins that may wait for their turn; a second or two of work. */
const WAITING_MAX = 40

/**
 * Hashes and checks passwords a few at a time, so that a hundred sign-ins at once keep nobody else
 * waiting. Throws 429 when too many wait.
 */
export function boundedPasswords(): {
  hash(password: string): Promise<string>
  verify(input: { readonly hash: string; readonly password: string }): Promise<boolean>
} {
  const limit = pLimit(AT_ONCE_MAX)
  const run = <T>(body: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= WAITING_MAX) {
      throw new APIError('TOO_MANY_REQUESTS', {
        message: 'Too many people are signing in at this moment. Try again in a few seconds.',
      })
    }
    return limit(body)
  }
  return {
    hash: (password) => run(() => hashPassword(password)),
    verify: (input) => run(() => verifyPassword(input)),
  }
}
